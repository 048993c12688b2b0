// Leads the light of one lamp to a window of 6 mm in a top that light does not pass. It stands
// over the lamp; its shoulder carries the top, its head fills the window. Clear material.
include <dimensions.scad>
window = 6;
lamp = [5.4, 1.8];        // width, height of the lamp with room
body = 9.5;
head = window - clearance;
shoulder = wall[1] - 0.2;

difference() {
    union() {
        cylinder(d = body, h = shoulder - 2);
        translate([0, 0, shoulder - 2]) cylinder(d1 = body, d2 = window + 1.5, h = 2);
        cylinder(d = head, h = wall[1] + sheet);
    }
    translate([-lamp[0] / 2, -lamp[0] / 2, -tiny]) cube([lamp[0], lamp[0], lamp[1]]);
}
