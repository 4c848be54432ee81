"""Spack recipe for Traction; docs/installation.md shows how to use it and what of it has been tried."""

try:  # from version 1.0 on Spack keeps build systems beside its packages, and no longer in spack.package
    from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
except ImportError:
    pass

from spack.package import *


class Traction(CMakePackage):
    """Simulates deformable bodies in frictional contact on any number of MPI ranks."""

    # The recipe has no download: it builds a checkout of the sources, which `spack develop` or `spack dev-build` names.
    homepage = "https://arxiv.org/abs/2211.10618"

    version("develop")
    version("0.5.0")

    variant("native", default=False, description="Use every instruction of the machine that builds")
    variant("gmsh", default=True, description="Mesh .geo files at the start of a run")
    variant("ml", default=False, description="Build PETSc with ML, the default preconditioner of scenes with more than 80 thousand vertices; takes Trilinos")
    variant("pictures", default=True, description="Draw pictures and films with Python")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")

    depends_on("mpi")
    # MUMPS, hypre and ML are preconditioners that scenes can choose.
    depends_on("petsc@3.18:+mpi+double+mumps+hypre+metis+ptscotch~complex~int64")
    depends_on("petsc+ml", when="+ml")
    depends_on("slepc@3.18:~arpack")
    depends_on("mumps+mpi+metis+float+double")
    depends_on("metis@5.1:~int64")
    depends_on("hdf5@1.10:+mpi")
    depends_on("vtk@9.1:")
    depends_on("eigen@3.4:3")
    depends_on("yaml-cpp@0.7:")
    depends_on("spdlog@1.10:")
    depends_on("cli11@2.1:")
    depends_on("nanoflann@1.4:")
    depends_on("blas")

    depends_on("gmsh@4.8:+opencascade", type="run", when="+gmsh")
    depends_on("python@3.11:", type="run", when="+pictures")
    depends_on("py-h5py", type="run", when="+pictures")
    depends_on("py-matplotlib", type="run", when="+pictures")
    depends_on("py-numpy", type="run", when="+pictures")
    depends_on("py-pyyaml", type="run", when="+pictures")
    depends_on("py-scipy", type="run", when="+pictures")
    depends_on("vtk+python", type="run", when="+pictures")

    generator("ninja")
    conflicts("%gcc@:11", msg="Traction is C++20 and is tested with g++ 12")

    def cmake_args(self):
        return [self.define_from_variant("TRACTION_NATIVE", "native")]
