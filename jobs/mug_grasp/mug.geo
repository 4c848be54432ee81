// A mug that stands upright on z = 0, its handle, half a ring, along x. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.006, Name "element edge length"},
                radius = {0.04, Name "outer radius"},
                height = {0.095, Name "height"},
                wall = {0.004, Name "thickness of wall and bottom"},
                handle = {0.026, Name "radius of the handle's ring"},
                grip = {0.005, Name "radius of the handle's section"} ];

middle = radius - 0.5 * wall;   // the ring's ends lie in the wall
Cylinder(1) = {0, 0, 0, 0, 0, height, radius};
Torus(2) = {middle, 0, 0.5 * height, handle, grip, Pi};
Rotate { {0, 0, 1}, {middle, 0, 0.5 * height}, -Pi / 2 } { Volume{2}; }
Rotate { {1, 0, 0}, {middle, 0, 0.5 * height}, Pi / 2 } { Volume{2}; }
Rotate { {0, 0, 1}, {0, 0, 0}, Pi / 2 } { Volume{1}; }   // its seam away from the handle
BooleanUnion(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Cylinder(4) = {0, 0, wall, 0, 0, height, radius - wall};
BooleanDifference(5) = { Volume{3}; Delete; }{ Volume{4}; Delete; };
Physical Volume("mug") = {5};

Mesh.MeshSizeMin = element_size / 2;
Mesh.MeshSizeMax = element_size;
Mesh.MeshSizeFromCurvature = 20;
