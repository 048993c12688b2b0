// A ring that makes a man a king: it lies inside the man's rim.
include <../mechanics/dimensions.scad>
height = 3;
width = 4;
outer = diameter / 2 - rim[0] - rim[1] - clearance;
rotate_extrude($fn = 120) translate([outer - width, 0])
    polygon([[0, 0], [width, 0], [width, height - bevel], [width - bevel, height], [bevel, height], [0, height - bevel]]);
