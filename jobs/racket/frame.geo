// The rest of a racket: the frame of its head around the origin and a handle along -x. Lengths in metres.
SetFactory("OpenCASCADE");

inside = 0.28;
bar = 0.01;
thick = 0.02;
outer = inside + 2 * bar;
Box(1) = {-outer / 2, -outer / 2, -thick / 2, outer, outer, thick};
Box(2) = {-inside / 2, -inside / 2, -thick / 2, inside, inside, thick};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Box(4) = {-outer / 2 - 0.38, -0.015, -thick / 2, 0.38, 0.03, thick};
BooleanUnion(5) = { Volume{3}; Delete; }{ Volume{4}; Delete; };
Physical Volume("frame") = {5};

Mesh.MeshSizeMin = 0.05;
Mesh.MeshSizeMax = 0.05;
