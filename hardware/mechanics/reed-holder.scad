// Holds a reed upright on the carrier, its gap at the right height, and the wire that comes down
// beside it. The reed is pressed in from the left until the glass stands on the foot.
include <dimensions.scad>

post = 6.4;               // square, around the glass
bore = glass[0] + 0.3;
mouth = 1.9;              // narrower than the glass: it snaps in
slit = 1.4;               // for the lead and the wire, narrower than the glass

foot_height = glass_foot - shim;
top = foot_height + glass[1] - 1;   // the upper end of the glass stays free

difference() {
    union() {
        translate(holder_foot[0]) cube([holder_foot[1][0], holder_foot[1][1], foot_height]);
        translate([-post / 2, -post / 2, 0]) cube([post, post, top]);
        // a fin with the groove of the wire
        translate([0, -post / 2, 0]) cube([sleeve_at, post, top - 3]);
    }
    translate([0, 0, foot_height]) cylinder(d = bore, h = top);
    translate([-post, -mouth / 2, foot_height]) cube([post, mouth, top]);
    translate([sleeve_at, 0, -tiny]) cylinder(d = sleeve + clearance, h = top + 1);
    translate([sleeve_at, -(sleeve - 0.3) / 2, -tiny]) cube([post, sleeve - 0.3, top + 1]);
    translate([0, 0, -tiny]) cylinder(d = slit, h = top);
    translate([0, -slit / 2, -tiny]) cube([sleeve_at, slit, foot_height + tiny]);
}
