// A man for draughts.
include <piece.scad>
height = 7;
piece() outline(height);
