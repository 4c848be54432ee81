// A tennis ball: a rubber core around a gas-filled cavity, and a layer of felt, in layers of elements. Lengths in metres.
DefineConstant[
  element_size = {8e-3, Name "element edge length along the surface"},
  core_layers = {2, Name "layers of elements through the core"},
  outer_diameter = {66e-3, Name "outer diameter"},
  felt_thickness = {3e-3, Name "felt thickness"},
  core_thickness = {3.5e-3, Name "core thickness"}
];

radius = outer_diameter / 2 - felt_thickness;   // where core and felt meet
Point(1) = {0, 0, 0, element_size};
Point(2) = {radius, 0, 0, element_size}; Point(3) = {-radius, 0, 0, element_size};
Point(4) = {0, radius, 0, element_size}; Point(5) = {0, -radius, 0, element_size};
Point(6) = {0, 0, radius, element_size}; Point(7) = {0, 0, -radius, element_size};
Circle(1) = {2, 1, 4}; Circle(2) = {4, 1, 3}; Circle(3) = {3, 1, 5}; Circle(4) = {5, 1, 2};
Circle(5) = {2, 1, 6}; Circle(6) = {6, 1, 3}; Circle(7) = {3, 1, 7}; Circle(8) = {7, 1, 2};
Circle(9) = {4, 1, 6}; Circle(10) = {6, 1, 5}; Circle(11) = {5, 1, 7}; Circle(12) = {7, 1, 4};
Curve Loop(1) = {1, 9, -5}; Curve Loop(2) = {2, -6, -9}; Curve Loop(3) = {3, -10, 6}; Curve Loop(4) = {4, 5, 10};
Curve Loop(5) = {-1, -8, 12}; Curve Loop(6) = {-2, -12, -7}; Curve Loop(7) = {-3, 7, -11}; Curve Loop(8) = {-4, 11, 8};
For i In {1:8}
  Surface(i) = {i} In Sphere {1};
EndFor

// Layers of elements along the normals of the surface mesh. Each patch of a sphere gives five numbers: its outer copy, the volume, and three sides between them.
core() = Extrude { Surface{1:8}; Layers{core_layers, -core_thickness}; Using Index[0]; };
felt() = Extrude { Surface{1:8}; Layers{1, felt_thickness}; Using Index[1]; };
cavity() = {}; outer() = {}; core_volumes() = {}; felt_volumes() = {};
For i In {0:7}
  cavity() += core(5 * i);
  core_volumes() += core(5 * i + 1);
  outer() += felt(5 * i);
  felt_volumes() += felt(5 * i + 1);
EndFor

Physical Volume("core") = {core_volumes()};
Physical Volume("felt") = {felt_volumes()};
Physical Surface("outer") = {outer()};
Physical Surface("cavity") = {cavity()};
// The planes of symmetry inside the ball: sides over the circles around z, y and x. The second side lies in x = 0 where the patch's number is in the list.
across_z() = {}; across_y() = {}; across_x() = {};
For i In {0:7}
  across_z() += {core(5 * i + 2), felt(5 * i + 2)};
  second() = {core(5 * i + 3), felt(5 * i + 3)};
  third() = {core(5 * i + 4), felt(5 * i + 4)};
  If (i == 0 || i == 2 || i == 5 || i == 7)
    across_x() += second();
    across_y() += third();
  Else
    across_y() += second();
    across_x() += third();
  EndIf
EndFor
Physical Surface("across_x") = {across_x()};
Physical Surface("across_y") = {across_y()};
Physical Surface("across_z") = {across_z()};
