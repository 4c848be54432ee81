// Ownership of PETSc's objects, and its error codes as exceptions.
#pragma once

#include <petscsys.h>

#include <stdexcept>
#include <utility>
#include <vector>

namespace traction {

/// A PETSc or SLEPc call failed.
class PetscFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws PetscFailure with PETSc's message if `error` is not 0.
/// PETSc reports most errors on all ranks of a communicator. One that is thrown on some ranks only becomes an error of all ranks inside on_all_ranks
/// (parallel/collective.h); elsewhere it reaches run_session (app/session.h), which prints it and aborts all ranks, because the others may be waiting for this
/// one.
void check_petsc(PetscErrorCode error);
template <auto function, typename Type>
struct PetscCallback;
/// The wrapper of petsc_callback, below, for functions with any arguments.
template <auto function, typename... Arguments>
struct PetscCallback<function, PetscErrorCode (*)(Arguments...)> {
  static PetscErrorCode call(Arguments... arguments) {
    try {
      return function(arguments...);
    } catch (const PetscFailure& failure) {
      return PetscError(PETSC_COMM_SELF, __LINE__, "callback", __FILE__, PETSC_ERR_LIB, PETSC_ERROR_INITIAL, "%s", failure.what());
    }
  }
};
/// A function for PETSc to call, in which a PetscFailure becomes an error code: exceptions must not pass through PETSc's C code. In use:
///   check_petsc(SNESSetFunction(snes, residual, petsc_callback<&Solver::function>, this));
template <auto function>
constexpr auto petsc_callback = &PetscCallback<function, decltype(function)>::call;

/// Owns a Vec, Mat, KSP, PC, PetscSF, IS or any other PETSc or SLEPc object, and destroys it when it goes out of scope. In use:
///   PetscHandle<Vec> vector;  check_petsc(VecCreate(communicator, vector.receive()));
/// To destroy an object is collective over its communicator.
template <typename Object>
class PetscHandle {
 public:
  PetscHandle() = default;
  explicit PetscHandle(Object object) : object_(object) {}
  PetscHandle(PetscHandle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  PetscHandle& operator=(PetscHandle&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~PetscHandle() { reset(); }

  void reset() {
    PetscObject object = reinterpret_cast<PetscObject>(std::exchange(object_, nullptr));
    PetscObjectDestroy(&object);
  }
  /// The address for functions that create an object. The object held before is destroyed.
  Object* receive() {
    reset();
    return &object_;
  }
  Object get() const { return object_; }
  operator Object() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  Object object_ = nullptr;
};

/// The objects of a list of handles, for functions that take an array; the handles still own them.
template <typename Object>
std::vector<Object> objects_of(const std::vector<PetscHandle<Object>>& handles) {
  return {handles.begin(), handles.end()};
}

}  // namespace traction
