// A radial tire without its wheel, a surface of revolution about the y axis: the carcass and belts as one surface, the tread as a layer of tetrahedra on it.
// Lengths in metres. The sector below the axle is finer than the rest.
SetFactory("Built-in");

DefineConstant[ tread_radius = {0.312, Name "outer radius at the crown, before inflation"},
                tread_arc = {0.7, Name "radius of the tread's curve across"},
                tread_height = {0.0105, Name "from the belts to the outside"},
                tread_half_width = {0.074, Name "half the width of belts and tread"},
                side_half_width = {0.0995, Name "half the width of the carcass where it is widest"},
                side_radius = {0.260, Name "radius there"},
                rim_radius = {0.1905, Name "radius of the rim"},
                rim_half_width = {0.076, Name "half the width of the rim"},
                flange = {0.016, Name "height of the rim's flange"},
                filler = {0.030, Name "height of the bead's filler above the flange"},
                across = {12, Name "cells across the tread"},
                side = {5, Name "cells from the tread's edge to the filler"},
                fine_angle = {80, Name "degrees of the fine sector"},
                fine = {48, Name "cells of the fine sector"},
                coarse = {30, Name "cells of the rest"} ];

belt = tread_radius - tread_height;
drop = tread_arc - Sqrt(tread_arc^2 - tread_half_width^2);
section_start = -fine_angle / 2 * Pi / 180;   // from straight down, where the section is drawn and then turned

Point(1) = {0, -rim_half_width, -rim_radius};
Point(2) = {0, -rim_half_width - 0.004, -rim_radius - flange};
Point(3) = {0, -side_half_width + 0.003, -rim_radius - flange - filler};
Point(4) = {0, -side_half_width, -side_radius};
Point(5) = {0, -0.092, -belt + drop + 0.015};
Point(6) = {0, -tread_half_width, -belt + drop};
Point(7) = {0, 0, -belt + tread_arc};
Point(8) = {0, tread_half_width, -belt + drop};
Point(9) = {0, 0.092, -belt + drop + 0.015};
Point(10) = {0, side_half_width, -side_radius};
Point(11) = {0, side_half_width - 0.003, -rim_radius - flange - filler};
Point(12) = {0, rim_half_width + 0.004, -rim_radius - flange};
Point(13) = {0, rim_half_width, -rim_radius};
Point(14) = {0, -tread_half_width, -belt + drop - tread_height};
Point(15) = {0, tread_half_width, -belt + drop - tread_height};
Point(16) = {0, 0, -belt + tread_arc - tread_height};
Line(1) = {1, 2};
Spline(2) = {3, 4, 5, 6};
Circle(3) = {6, 7, 8};
Spline(4) = {8, 9, 10, 11};
Line(5) = {12, 13};
Line(6) = {6, 14};
Circle(7) = {14, 16, 15};
Line(8) = {15, 8};
Line(9) = {2, 3};
Line(10) = {11, 12};
Curve Loop(1) = {6, 7, 8, -3};
Plane Surface(1) = {1};
Transfinite Curve{3, 7} = across + 1;
Transfinite Curve{1, 5, 6, 8} = 2;
Transfinite Curve{2, 4} = side + 1;
Transfinite Curve{9, 10} = 3;
Transfinite Surface{1} = {6, 14, 15, 8};
Rotate { {0, 1, 0}, {0, 0, 0}, section_start } { Curve{1, 9, 2, 4, 10, 5}; Surface{1}; }

beads() = {}; fillers() = {}; sides() = {}; belts() = {}; outer() = {}; ends() = {}; volumes() = {};
section() = {1, 9, 2, 4, 10, 5};
face = 1;
below = 3;   // the curve between belts and tread
For piece In {0 : 4}
  If (piece < 2)
    turn = fine_angle / 2 * Pi / 180;
    layers = fine / 2;
  Else
    turn = (360 - fine_angle) / 3 * Pi / 180;
    layers = coarse / 3;
  EndIf
  For i In {0 : 5}
    out() = Extrude { {0, 1, 0}, {0, 0, 0}, turn } { Curve{section(i)}; Layers{layers}; };
    section(i) = out(0);
    If (i == 0 || i == 5)
      beads() += {out(1)};
    ElseIf (i == 1 || i == 4)
      fillers() += {out(1)};
    Else
      sides() += {out(1)};
    EndIf
  EndFor
  out() = Extrude { {0, 1, 0}, {0, 0, 0}, turn } { Surface{face}; Layers{layers}; };
  face = out(0);
  volumes() += {out(1)};
  ends() += {out(2), out(4)};
  outer() += {out(3)};
  belts() += {out(5)};
EndFor
Coherence;
Physical Surface("bead") = {beads()};
Physical Surface("filler") = {fillers()};
Physical Surface("side") = {sides()};
Physical Surface("belt") = {belts()};
Physical Surface("carcass") = {beads(), fillers(), sides(), belts()};
Physical Surface("outer") = {outer()};
Physical Volume("tread") = {volumes()};
