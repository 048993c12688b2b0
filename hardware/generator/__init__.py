"""The generator: from a board's profile and the list of parts to every table, drawing and template.

    profile ─┬─ plan ────────────┬─ cutting, overlay, portrait
             │                   │
    parts ───┴─ wiring: Circuit ─┴─ tables, schematic, shopping, power
                     │
                  checks: what is wrong with any of them, as sentences

``python -m hardware.generator`` writes the files, ``--check`` says which of them are stale. The same profile and
parts give the same bytes on every machine.
"""
