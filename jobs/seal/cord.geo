// A slice of a round cord, one element wide: a disc in x and z around the origin. Lengths in metres.
DefineConstant[
  diameter = {5.33e-3, Name "diameter of the cross-section"},
  element_size = {3.0e-4, Name "element edge length"},
  width = {3.0e-4, Name "width of the slice"}
];
radius = diameter / 2;
Point(1) = {0, 0, 0, element_size};
Point(2) = {radius, 0, 0, element_size};
Point(3) = {0, 0, radius, element_size};
Point(4) = {-radius, 0, 0, element_size};
Point(5) = {0, 0, -radius, element_size};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
Circle(3) = {4, 1, 5};
Circle(4) = {5, 1, 2};
Line(5) = {3, 1};
Line(6) = {1, 5};
Curve Loop(1) = {1, 5, 6, 4};
Curve Loop(2) = {2, 3, -6, -5};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
slice() = Extrude { 0, width, 0 } { Surface{1, 2}; Layers{1}; };
// Of each half: its copy, the volume, and sides over the four curves in the order of its loop.

Physical Volume("rubber") = {slice(1), slice(7)};
Physical Surface("rim") = {slice(2), slice(5), slice(8), slice(9)};
Physical Surface("faces") = {1, 2, slice(0), slice(6)};
Physical Surface("middle") = {slice(3), slice(4)};

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
