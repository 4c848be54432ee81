// The tire of a top fuel dragster without its wheel: a surface of revolution about the y axis. Lengths in metres.
SetFactory("OpenCASCADE");

DefineConstant[ element_size = {0.03, Name "element edge length"},
                rim_radius = {0.203, Name "radius of the wheel"},
                rim_half_width = {0.19, Name "half the width of the wheel"},
                side_radius = {0.33, Name "radius where the side is widest"},
                side_half_width = {0.23, Name "half the width there"},
                shoulder_radius = {0.43, Name "radius of the shoulder"},
                shoulder_half_width = {0.215, Name "half the width of the tread"},
                tread_radius = {0.457, Name "radius of the tread"} ];

// The section from one bead to the other, in the plane x = 0.
Point(1) = {0, -rim_half_width, rim_radius};
Point(2) = {0, -side_half_width, side_radius};
Point(3) = {0, -shoulder_half_width, shoulder_radius};
Point(4) = {0, -0.5 * shoulder_half_width, tread_radius};
Point(5) = {0, 0.5 * shoulder_half_width, tread_radius};
Point(6) = {0, shoulder_half_width, shoulder_radius};
Point(7) = {0, side_half_width, side_radius};
Point(8) = {0, rim_half_width, rim_radius};
Spline(1) = {1, 2, 3};
Spline(2) = {3, 4, 5, 6};
Spline(3) = {6, 7, 8};

side_a() = Extrude { {0, 1, 0}, {0, 0, 0}, 2 * Pi } { Curve{1}; };
tread() = Extrude { {0, 1, 0}, {0, 0, 0}, 2 * Pi } { Curve{2}; };
side_b() = Extrude { {0, 1, 0}, {0, 0, 0}, 2 * Pi } { Curve{3}; };
Coherence;

// By their places: the beads are the two circles at the wheel's radius.
surfaces() = Surface{:};
outer() = {};
inner() = {};
For i In {0 : #surfaces() - 1}
  box() = BoundingBox Surface{surfaces(i)};
  If (box(5) > tread_radius - 0.01)
    outer() += {surfaces(i)};
  Else
    inner() += {surfaces(i)};
  EndIf
EndFor
Physical Surface("outer") = {outer()};
Physical Surface("inner") = {inner()};
Physical Surface("tire") = {surfaces()};
curves() = Curve{:};
rim() = {};
For i In {0 : #curves() - 1}
  box() = BoundingBox Curve{curves(i)};
  If (box(5) < rim_radius + 1e-3 && box(4) - box(1) < 1e-3 && box(3) - box(0) > rim_radius)
    rim() += {curves(i)};
  EndIf
EndFor
Physical Curve("rim") = {rim()};

Mesh.MeshSizeMin = element_size;
Mesh.MeshSizeMax = element_size;
Mesh.Algorithm = 6;
