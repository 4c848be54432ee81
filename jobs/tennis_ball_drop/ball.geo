// A tennis ball: a rubber core around a gas-filled cavity, and a layer of felt. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[
  element_size = {4e-3, Name "element edge length"},
  outer_diameter = {66e-3, Name "outer diameter"},          // ITF Type 2: 65.4 to 68.6 mm
  felt_thickness = {3e-3, Name "felt thickness"},
  core_thickness = {7e-3, Name "core thickness"}            // carries the mass: see README.md
];

outer_radius = outer_diameter / 2;
core_radius = outer_radius - felt_thickness;
cavity_radius = core_radius - core_thickness;

Sphere(1) = {0, 0, 0, outer_radius};
Sphere(2) = {0, 0, 0, core_radius};
Sphere(3) = {0, 0, 0, core_radius};
Sphere(4) = {0, 0, 0, cavity_radius};
felt() = BooleanDifference{ Volume{1}; Delete; }{ Volume{2}; Delete; };
core() = BooleanDifference{ Volume{3}; Delete; }{ Volume{4}; Delete; };
solids() = BooleanFragments{ Volume{felt(), core()}; Delete; }{};   // they share their interface from here on

margin = felt_thickness / 10;
all() = Surface In BoundingBox{-1, -1, -1, 1, 1, 1};
r = core_radius + margin;
inner() = Surface In BoundingBox{-r, -r, -r, r, r, r};
r = cavity_radius + margin;
cavity() = Surface In BoundingBox{-r, -r, -r, r, r, r};
outer() = all();
outer() -= inner();
r = core_radius + margin;
core_volume() = Volume In BoundingBox{-r, -r, -r, r, r, r};
felt_volume() = Volume In BoundingBox{-1, -1, -1, 1, 1, 1};
felt_volume() -= core_volume();

Physical Volume("core") = {core_volume()};
Physical Volume("felt") = {felt_volume()};
Physical Surface("outer") = {outer()};
Physical Surface("cavity") = {cavity()};

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
Mesh.Algorithm3D = 1;
Mesh.Optimize = 1;
