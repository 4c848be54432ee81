SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 60, 40, 8};
Box(2) = {0, 0, 0, 8, 40, 50};
Cylinder(3) = {40, 20, -1, 0, 0, 20, 8};
BooleanUnion(4) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
BooleanDifference(5) = { Volume{4}; Delete; }{ Volume{3}; Delete; };
Mesh.MeshSizeMax = 5;
Physical Volume("plastic") = {5};
Physical Surface("skin") = Boundary{ Volume{5}; };
