// What every printed part has in common, in millimetres. Each part's file includes this one; a
// value is changed here, or for one print: openscad -D felt=0.8 pieces/checker.scad

clearance = 0.2;          // between two things that fit into each other, over the whole width

// Magnets and pieces
magnet = [12, 1];         // diameter, thickness
pocket = [magnet[0] + clearance, magnet[1] + clearance];
diameter = 33;            // of a piece: more than the 31.7 of the small-parts cylinder
felt = 0.5;               // glued below; part of a piece's height
floor = 0.4;              // plastic below the magnet
rim = [2, 0.6];           // width, height: the next piece in a stack stands on it
bevel = 0.4;              // at the lower edge, where the first layer spreads

// The board, from the carrier upwards
cell = 45;                // from centre to centre
wall = [3, 15];           // thickness, height of the light walls
sheet = 3;                // top, carrier, base
veneer = 0.6;             // or foil, on the top
air = 0.4;                // between the reed's lead and the top
stub = 2;                 // lead left above the glass
glass = [2.2, 10.2];      // of the reed: diameter, length
lead = 0.8;               // diameter, with solder
sleeve = 1.6;             // over the wire that comes down beside the reed
sleeve_at = 5.08;         // from the reed's axis to that wire
shim = 1;                 // below the holder: take it away to lower the reed, add one to raise it

holder_foot = [[-5, -4], [11.8, 8]];   // corner and size: between the lamp and the tile's diode

glass_foot = wall[1] - air - stub - glass[1];                 // above the carrier
gap = glass_foot + glass[1] / 2;                              // the contacts, above the carrier
magnet_to_gap = floor + felt + veneer + sheet + wall[1] - gap;

// Sorting: from the magnet's face to the end of the glass
closed_at = 14.2;
open_at = 19.5;
// How far from the centre of its cell a piece must still be seen
off_centre = 8;

$fn = 72;                 // a multiple of four: a circle is as wide as it should be
tiny = 0.01;              // so that what is cut away does not end in the very face

echo(magnet_to_gap = magnet_to_gap, gap = gap, glass_foot = glass_foot);
