// A closed box around the origin, hollow. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.008, Name "element edge length"},
                inside = {0.05, Name "inner edge length"},
                wall = {0.01, Name "thickness of the walls"} ];

outer = 0.5 * inside + wall;
Box(1) = {-outer, -outer, -outer, 2 * outer, 2 * outer, 2 * outer};
Box(2) = {-0.5 * inside, -0.5 * inside, -0.5 * inside, inside, inside, inside};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Physical Volume("box") = {3};

tight = 0.5 * inside + 0.5 * wall;
inner() = Surface In BoundingBox{-tight, -tight, -tight, tight, tight, tight};
Physical Surface("inner") = {inner()};
bottom() = Surface In BoundingBox{-2 * outer, -2 * outer, -1.01 * outer, 2 * outer, 2 * outer, -0.99 * outer};
Physical Surface("bottom") = {bottom()};

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
Mesh.Algorithm3D = 1;
Mesh.Optimize = 1;
