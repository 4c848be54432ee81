# find_package(Traction) gives the target Traction::simulation: from a scene to the objects that simulate it. Include its headers by their rooms, for example
# "simulation/simulation.h". The project that finds it needs the languages C and CXX.
include(CMakeFindDependencyMacro)
set(HDF5_PREFER_PARALLEL ON)
find_dependency(MPI COMPONENTS C)
find_dependency(HDF5 COMPONENTS C)
find_dependency(Eigen3)
find_dependency(yaml-cpp)
find_dependency(spdlog)
find_dependency(VTK COMPONENTS IOXML IOLegacy FiltersCore)
find_dependency(PkgConfig)
pkg_check_modules(PETSC REQUIRED IMPORTED_TARGET PETSc)
pkg_check_modules(SLEPC REQUIRED IMPORTED_TARGET slepc)
include(${CMAKE_CURRENT_LIST_DIR}/TractionTargets.cmake)
