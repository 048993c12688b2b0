"""Which pin of the Pico each wire goes to; ``make flash`` puts the file of your own board in this one's place.

All numbers are GP numbers: GP2 is the Pico's fourth pin. Switch number = row x columns + column. A button
joins its pin to ground; a button's lamp is lit while its pin is high. None: not wired to the Pico.
"""

ROWS = (2, 3, 4, 5, 6, 7, 8, 9)
COLUMNS = (10, 11, 12, 13, 14, 15, 16, 17)

#          GO    NEXT  BACK  HINT
BUTTONS = (None, None, None, None)
LAMPS = (None, None, None, None)
