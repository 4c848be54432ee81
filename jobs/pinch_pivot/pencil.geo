// A carpenter's pencil along x, gripped at the origin; its flat faces look along y, its point lies at the end of x. Lengths in metres.
DefineConstant[ element_size = {0.005, Name "element edge length"},
                width = {0.014, Name "width"},
                thickness = {0.007, Name "thickness, across the grip"},
                behind = {0.035, Name "length from the grip to the blunt end"},
                before = {0.105, Name "length from the grip to the point's beginning"},
                point = {0.02, Name "length of the point"} ];

y = 0.5 * thickness;
z = 0.5 * width;
Point(1) = {-behind, -y, -z};
Point(2) = {-behind, y, -z};
Point(3) = {-behind, y, z};
Point(4) = {-behind, -y, z};
Point(5) = {before, -y, -z};
Point(6) = {before, y, -z};
Point(7) = {before, y, z};
Point(8) = {before, -y, z};
Point(9) = {before + point, 0, 0};
For i In {1 : 4}
  next = i % 4 + 1;
  Line(i) = {i, next};                // around the blunt end
  Line(10 + i) = {4 + i, 4 + next};   // around the point's beginning
  Line(20 + i) = {i, 4 + i};
  Line(30 + i) = {4 + i, 9};
EndFor
For i In {1 : 4}
  next = i % 4 + 1;
  Curve Loop(i) = {i, 20 + next, -(10 + i), -(20 + i)};
  Plane Surface(i) = {i};
  Curve Loop(10 + i) = {10 + i, 30 + next, -(30 + i)};
  Plane Surface(10 + i) = {10 + i};
EndFor
Curve Loop(20) = {1, 2, 3, 4};
Plane Surface(20) = {20};
Surface Loop(1) = {1, 2, 3, 4, 11, 12, 13, 14, 20};
Volume(1) = {1};
Physical Volume("pencil") = {1};

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
