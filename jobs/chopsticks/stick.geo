// A round stick along x, from its hinge at x = 0 on. Lengths in metres.
DefineConstant[ sides = {12, Name "facets around it"},
                layers = {24, Name "elements along it"},
                radius = {0.003, Name "radius"},
                length = {0.18, Name "length"} ];

For i In {1 : sides}
  angle = 2 * Pi * (i - 0.5) / sides;
  Point(i) = {0, radius * Cos(angle), radius * Sin(angle), radius};
EndFor
For i In {1 : sides}
  Line(i) = {i, i % sides + 1};
EndFor
Curve Loop(1) = {1 : sides};
Plane Surface(1) = {1};
swept() = Extrude {length, 0, 0} { Surface{1}; Layers{layers}; };
Physical Volume("stick") = {swept(1)};
Physical Surface("side") = {swept({2 : sides + 1})};
