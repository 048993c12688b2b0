// A stone for Herd, domed: it is not stacked.
include <piece.scad>
height = 8;
edge = 3;                 // of the cylinder below the dome
piece() dome(height, edge);
