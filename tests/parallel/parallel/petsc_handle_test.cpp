#include "parallel/petsc_handle.h"

#include <gtest/gtest.h>
#include <petscsf.h>
#include <petscvec.h>

#include <string>

#include "errors.h"
#include "parallel/collective.h"
#include "support/shared_folder.h"

namespace traction {
namespace {

PetscInt references_to(Vec vector) {
  PetscInt count = 0;
  PetscObjectGetReference(reinterpret_cast<PetscObject>(vector), &count);
  return count;
}

TEST(PetscHandle, DestroysWhatItHolds) {
  Vec vector = nullptr;
  check_petsc(VecCreateMPI(PETSC_COMM_WORLD, 3, PETSC_DETERMINE, &vector));
  const auto hold = [&] {  // as one more owner
    PetscObjectReference(reinterpret_cast<PetscObject>(vector));
    return PetscHandle<Vec>(vector);
  };
  {
    PetscHandle<Vec> first = hold(), second = hold();
    EXPECT_EQ(references_to(vector), 3);
    const PetscHandle<Vec> third = std::move(first);
    EXPECT_FALSE(first);
    EXPECT_EQ(third.get(), vector);
    EXPECT_EQ(references_to(vector), 3);
    check_petsc(VecCreateMPI(PETSC_COMM_WORLD, 5, PETSC_DETERMINE, second.receive()));
    EXPECT_EQ(references_to(vector), 2);
    PetscInt size = 0;
    check_petsc(VecGetLocalSize(second, &size));
    EXPECT_EQ(size, 5);
    second = hold();
    EXPECT_EQ(references_to(vector), 3);
  }
  EXPECT_EQ(references_to(vector), 1);
  VecDestroy(&vector);
}

class PetscErrors : public testing::Test {
 protected:
  PetscErrors() { PetscPushErrorHandler(PetscReturnErrorHandler, nullptr); }  // no trace in the tests' output
  ~PetscErrors() override { PetscPopErrorHandler(); }
};

// PETSc reports that a graph must be given before a forest is set up.
TEST_F(PetscErrors, AreThrownWithPetscsMessage) {
  PetscHandle<PetscSF> forest;
  EXPECT_NO_THROW(check_petsc(PetscSFCreate(PETSC_COMM_WORLD, forest.receive())));
  std::string message;
  try {
    check_petsc(PetscSFSetGraph(forest, -1, 0, nullptr, PETSC_COPY_VALUES, nullptr, PETSC_COPY_VALUES));
  } catch (const PetscFailure& error) {
    message = error.what();
  }
  EXPECT_NE(message.find("PETSc error 63: Argument out of range"), std::string::npos) << message;
  EXPECT_NE(message.find("-1"), std::string::npos) << message;
}

TEST_F(PetscErrors, OfOneRankReachAllInsideOnAllRanks) {
  const int last = test::size_of(PETSC_COMM_WORLD) - 1;
  EXPECT_THROW(on_all_ranks(PETSC_COMM_WORLD, [&] { check_petsc(test::rank_in(PETSC_COMM_WORLD) == last ? PETSC_ERR_MEM : 0); }), FileError);
}

PetscErrorCode fail(int kind) {
  if (kind == 1) throw PetscFailure("a failure");
  if (kind == 2) throw InputError("another error");
  return 0;
}

TEST_F(PetscErrors, BecomeErrorCodesInFunctionsThatPetscCalls) {
  EXPECT_EQ(petsc_callback<&fail>(0), 0);
  EXPECT_EQ(petsc_callback<&fail>(1), PETSC_ERR_LIB);
  std::string message;
  try {
    check_petsc(petsc_callback<&fail>(1));
  } catch (const PetscFailure& error) {
    message = error.what();
  }
  EXPECT_NE(message.find("a failure"), std::string::npos) << message;
  EXPECT_THROW(petsc_callback<&fail>(2), InputError);
}

}  // namespace
}  // namespace traction
