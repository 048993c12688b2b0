// A checker for Diablo: what lies above the magnet spaces the magnets of a stack by its height, 6 mm.
include <piece.scad>
height = 6;
piece() outline(height);
