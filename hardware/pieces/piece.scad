// A round piece with a magnet walled in near its lower face. What the kinds have in common.
//
//        ___                 ___     rim: the next piece's felt stands on it, so pieces slide
//       |   |_______________|   |    off sideways and the pitch of a stack is the height
//       |                       |
//       |      [=magnet=]       |    pocket, closed on all sides
//        \_____________________/     floor
//         ~~~~~~~~felt~~~~~~~~~      not printed
//
// Printed as it stands, with a pause at the pocket's upper edge; see README.md.

include <../mechanics/dimensions.scad>

cutaway = false;          // half of it taken away, for the picture

module outline(height) {  // the right half of a section through man or checker
    body = height - felt;
    radius = diameter / 2;
    polygon([
        [0, 0], [radius - bevel, 0], [radius, bevel], [radius, body - bevel], [radius - bevel, body],
        [radius - rim[0], body], [radius - rim[0] - rim[1], body - rim[1]], [0, body - rim[1]],
    ]);
}

module dome(height, edge) {  // the right half of a section through a stone
    body = height - felt;
    radius = diameter / 2;
    rise = body - edge;
    ball = (radius * radius + rise * rise) / (2 * rise);
    intersection() {
        union() {
            polygon([[0, 0], [radius - bevel, 0], [radius, bevel], [radius, edge], [0, edge]]);
            translate([0, body - ball]) intersection() {
                circle(ball, $fn = 360);
                translate([-radius, ball - rise - tiny]) square([2 * radius, rise + 2 * tiny]);
            }
        }
        square([radius, body]);
    }
}

module piece() {  // turns the section that it is given, less the pocket
    render() rotate_extrude(angle = cutaway ? 180 : 360, $fn = 96) difference() {
        children();
        translate([0, floor]) square([pocket[0] / 2, pocket[1]]);
    }
}
