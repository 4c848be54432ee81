// A circular plate in the plane z = 0. Lengths in metres.
DefineConstant[ element_size = {0.025, Name "element edge length"},
                radius = {0.35, Name "radius"} ];

Point(1) = {0, 0, 0};
For i In {0 : 3}
  Point(2 + i) = {radius * Cos(i * Pi / 2), radius * Sin(i * Pi / 2), 0};
EndFor
For i In {0 : 3}
  Circle(1 + i) = {2 + i, 1, 2 + (i + 1) % 4};
EndFor
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Physical Surface("plate") = {1};

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
