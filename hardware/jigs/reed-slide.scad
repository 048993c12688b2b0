// Sorts reeds: a carriage with a magnet of the pieces moves towards the end of a reed's glass. At
// the near stop the reed must be closed, at the far stop open again.
//
//      lead  ===[ glass ]=-         |M|           M the magnet, its face `closed_at` or `open_at`
//                         ^ shoulder ^            millimetres from the end of the glass
//
// Two parts: the rail, and the carriage that is laid into it.

include <../mechanics/dimensions.scad>

part = "rail";            // or carriage

base = 4;
axis = base + 8.5;        // height of reed and magnet
side = 4;                 // thickness of the rail's walls
carriage = [12, 20, 16];
face = 1;                 // plastic before the magnet
play = 0.4;               // of the carriage between the walls
lead_rest = 26;           // the long lead's end of the block
shoulder = 1.6;           // shorter than the stub, which touches a strip of copper foil on it

near = closed_at - face;  // the carriage's front at both stops
far = open_at - face;
width = carriage[1] + play + 2 * side;
length = far + carriage[0] + side;

module rail() {
    difference() {
        union() {
            translate([-lead_rest, -width / 2, 0]) cube([lead_rest + length, width, base]);
            for (y = [-width / 2, width / 2 - side]) translate([0, y, 0]) cube([length, side, base + 10]);
            translate([far + carriage[0], -width / 2, 0]) cube([side, width, base + 10]);
            // the near stop: two posts, with nothing between them
            for (y = [-width / 2, width / 2 - 7]) translate([near - 4, y, 0]) cube([4, 7, base + 10]);
            translate([-lead_rest, -6, 0]) cube([lead_rest + shoulder, 12, axis + 0.6]);
        }
        // the glass lies between two shoulders
        translate([-glass[1] - clearance, -(glass[0] + 0.3) / 2, axis - glass[0] / 2]) cube([glass[1] + clearance, glass[0] + 0.3, 10]);
        // the leads
        translate([-lead_rest - 1, -lead / 2, axis - lead / 2]) cube([lead_rest + 10, lead, 10]);
        // to take the reed out again
        translate([-glass[1] / 2 - 3, -10, axis - glass[0] / 2]) cube([6, 20, 10]);
    }
}

module block() {
    difference() {
        translate([0, -carriage[1] / 2, 0]) cube(carriage);
        translate([face, 0, axis - base]) {
            rotate([0, 90, 0]) cylinder(d = pocket[0], h = pocket[1]);
            translate([0, -pocket[0] / 2, 0]) cube([pocket[1], pocket[0], carriage[2]]);
        }
        // to push the magnet out from behind
        translate([face, 0, axis - base]) rotate([0, 90, 0]) cylinder(d = 4, h = carriage[0]);
    }
}

if (part == "rail") rail(); else block();
