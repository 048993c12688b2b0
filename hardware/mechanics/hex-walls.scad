// Light walls of the hexagonal board, in sections that a common printer takes. Two kinds:
//
//     row     |   |   |       the walls between the cells of a row, and the zigzag below them
//             |   |   |
//            / \ / \ / \
//
//     cap    /\ /\ /\         the zigzag between the middle row and the one beyond it
//
// A row's walls end in sockets at the corners of the next zigzag, a section's end in the socket at
// the start of the next section. Rows beyond the middle are the same, turned by half a circle.

include <dimensions.scad>

kind = "row";             // row, cap; or all, overlap: the whole board, flat
cells = 3;
last = false;             // the last section of its row: closed at its end
outer = false;            // of the outermost row, which has no walls below it

edge = cell / sqrt(3);    // of a hexagon
step = [cell / 2, edge / 2];
thick = wall[0];
cheek = 1.2;              // thickness of a socket
reach = 6;                // its depth
room = thick / 2 + clearance / 2;
short = room;             // a wall that stands in a socket ends this much before the corner

module line(from, to, width = thick) {
    hull() for (point = [from, to]) translate(point) circle(d = width, $fn = 24);
}

module bar(from, to, width = thick) {  // with flat ends
    way = to - from;
    translate(from) rotate(atan2(way[1], way[0])) translate([0, -width / 2]) square([norm(way), width]);
}

module socket(corner, direction) {
    translate(corner) rotate(direction) difference() {
        translate([0, -room - cheek]) square([room + reach, 2 * (room + cheek)]);
        translate([room, -room]) square([reach + 1, 2 * room]);
    }
}

// Where a wall stands in the sockets of others, nothing else may be.
module free(corner, direction) {
    translate(corner) rotate(direction) translate([room, -room]) square([reach + 1, 2 * room]);
}

module zigzag(count, end, up) {  // up: 1 where it begins upwards, -1 downwards
    for (i = [0 : count - 1]) {
        left = [i * cell, 0];
        middle = [(i + 0.5) * cell, up * step[1]];
        right = [(i + 1) * cell, 0];
        line(left, middle);
        if (i == count - 1 && !end) bar(middle, right - short * [cos(30), -up * sin(30)]);
        else line(middle, right);
    }
}

module row(count, end, border) {
    ends = [
        [[0, 0], 210],
        if (!border) for (i = [0 : count - 1]) [[(i + 0.5) * cell, -step[1]], -90],
    ];
    difference() {
        union() {
            zigzag(count, end, -1);
            for (i = [0 : count - (end ? 0 : 1)]) bar([i * cell, 0], [i * cell, edge - short]);
            for (at = ends) socket(at[0], at[1]);
        }
        for (at = ends) free(at[0], at[1]);
    }
}

module cap(count, end) {
    ends = [
        for (i = [0 : count - 1]) [[(i + 0.5) * cell, step[1]], 90],
        for (i = [0 : count - (end ? 0 : 1)]) [[i * cell, 0], -90],
        [[0, 0], 150],
    ];
    difference() {
        union() {
            zigzag(count, end, 1);
            for (at = ends) socket(at[0], at[1]);
        }
        for (at = ends) free(at[0], at[1]);
    }
}

// The whole board: how many cells the sections of a row have, by the number of its cells.
split = [[5, [3, 2]], [6, [3, 3]], [7, [4, 3]], [8, [4, 4]], [9, [3, 3, 3]]];
function sections(count) = split[search(count, split)[0]][1];
function before(counts, i) = i == 0 ? 0 : counts[i - 1] + before(counts, i - 1);

// kind, turn, left shoulder of the row, cells before, cells, last, outer
placed = [
    for (beyond = [0, 1], r = [beyond : 4], i = [0 : len(sections(9 - r)) - 1])
        let (counts = sections(9 - r))
        ["row", 180 * beyond, [-(9 - r) * cell / 2, -r * 1.5 * edge - step[1]], before(counts, i), counts[i], i == len(counts) - 1, r == 4],
    for (i = [0 : 2])
        ["cap", 0, [-4.5 * cell, step[1]], 3 * i, 3, i == 2, false],
];

module place(one) {
    rotate(one[1]) translate(one[2] + [one[3] * cell, 0])
        if (one[0] == "row") row(one[4], one[5], one[6]); else cap(one[4], one[5]);
}

if (kind == "all") for (one = placed) place(one);
else if (kind == "overlap") for (i = [0 : len(placed) - 2]) intersection() {
    place(placed[i]);
    for (j = [i + 1 : len(placed) - 1]) place(placed[j]);
}
else linear_extrude(wall[1]) if (kind == "row") row(cells, last, outer); else cap(cells, last);
