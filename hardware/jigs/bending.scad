// Bends and crops the leads of a reed without strain on its glass.
//
//           |=3 mm=|[  glass  ]|=2 mm=|
//     bend over the round edge        crop flush with the end

include <../mechanics/dimensions.scad>

bend = 3;                 // from the glass to where a lead may begin to bend
round = 1;                // radius of the edge
block = [bend + glass[1] + clearance + stub, 16, 10];
bore = glass[0] + 0.3;

module groove(width, from, to) {
    translate([from, -width / 2, block[2] - bore / 2 - width / 2]) cube([to - from, width, block[2]]);
}

difference() {
    union() {
        translate([round, -block[1] / 2, 0]) cube([block[0] - round, block[1], block[2]]);
        translate([0, -block[1] / 2, 0]) cube([block[0], block[1], block[2] - bore / 2 - lead / 2 - round]);
        translate([round, 0, block[2] - bore / 2 - lead / 2 - round]) rotate([90, 0, 0])
            cylinder(r = round, h = block[1], center = true);
        translate([-6, -block[1] / 2, 0]) cube([6 + block[0] + 6, block[1], 3]);   // a foot to hold it by
    }
    groove(bore, bend, bend + glass[1] + clearance);
    groove(lead, -1, block[0] + 1);
    translate([bend + glass[1] / 2 - 3, -block[1] / 2 - 1, block[2] - bore]) cube([6, block[1] + 2, block[2]]);
}
