// A solid ball around the origin, with finer elements where it lands. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[
  element_size = {2.5e-3, Name "element edge length where it lands"},
  coarsest = {6e-3, Name "element edge length far from there"},
  radius = {23e-3, Name "radius"}
];

Sphere(1) = {0, 0, 0, radius};
Physical Volume("ball") = {1};
Physical Surface("outer") = Boundary{ Volume{1}; };

// Fine within three quarters of the radius from the lowest point; coarsest beyond one and a half radii.
Point(1000) = {0, 0, -radius};
Field[1] = Distance;
Field[1].PointsList = {1000};
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = element_size;
Field[2].SizeMax = coarsest;
Field[2].DistMin = 0.75 * radius;
Field[2].DistMax = 1.5 * radius;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.Algorithm3D = 1;
Mesh.Optimize = 1;
