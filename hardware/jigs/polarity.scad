// A stick that takes up a magnet the right way round. Two magnets are walled in, both the same way
// up, so that its ends show opposite poles: the end with one groove is for light pieces, the end
// with two for dark ones. Printed upright, with two pauses; see README.md.

include <../mechanics/dimensions.scad>

length = 50;
width = 16;
skin = 1.2;               // plastic between a walled-in magnet and the end
groove = [1.5, 1.2];      // width, depth
grooves = [8, length - 8, length - 12];

module ring() {  // what a groove takes away; its upper edge slopes, so that it prints without support
    rotate_extrude() polygon([
        [width / 2 - groove[1], -groove[0] / 2], [width / 2 + 1, -groove[0] / 2],
        [width / 2 + 1, groove[0] / 2 + groove[1] + 1], [width / 2 - groove[1], groove[0] / 2],
    ]);
}

difference() {
    cylinder(d = width, h = length);
    for (z = [skin, length - skin - pocket[1]]) translate([0, 0, z]) cylinder(d = pocket[0], h = pocket[1]);
    for (z = grooves) translate([0, 0, z]) ring();
}
