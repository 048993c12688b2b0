// Laid on a cell, its notches on the cell's middle lines: a piece pushed into its hollow stands
// exactly so far off the centre. Turned four times: to each side.

include <../mechanics/dimensions.scad>

off = off_centre;         // 0: a hole that centres a piece
thickness = 3;
notch = 1.5;
side = cell - 0.6;        // between the lines of its neighbours
hole = diameter + 2 * clearance;

linear_extrude(thickness) difference() {
    square(side, center = true);
    hull() for (x = [off, off > 0 ? cell : 0]) translate([x, 0]) circle(d = hole, $fn = 120);
    for (turn = [0 : 90 : 270]) rotate(turn) translate([side / 2, 0]) rotate(45) square(notch * sqrt(2), center = true);
}
