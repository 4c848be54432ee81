#include "solver/default_options.h"

#include <petscsys.h>

#include "parallel/petsc_handle.h"

namespace traction {

DefaultOptions::Scope::Scope(const DefaultOptions& defaults) {
  for (const auto& [name, value] : defaults.options_) {
    PetscBool given = PETSC_FALSE;
    check_petsc(PetscOptionsHasName(nullptr, nullptr, name.c_str(), &given));
    if (given) continue;
    check_petsc(PetscOptionsSetValue(nullptr, name.c_str(), value.c_str()));
    set_.push_back(name.c_str());
  }
}

DefaultOptions::Scope::~Scope() {
  for (const char* name : set_) PetscOptionsClearValue(nullptr, name);
}

}  // namespace traction
