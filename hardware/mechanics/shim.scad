// Lies below a reed holder and raises it.
include <dimensions.scad>
difference() {
    translate(holder_foot[0]) cube([holder_foot[1][0], holder_foot[1][1], shim]);
    hull() for (x = [0, 2 * sleeve_at]) translate([x, 0, -tiny]) cylinder(d = 3.2, h = shim + 1);
}
