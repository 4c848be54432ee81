#include "parallel/petsc_calls.h"

#include <gtest/gtest.h>
#include <petscksp.h>

#include "parallel/petsc_handle.h"
#include "support/shared_folder.h"

namespace traction {
namespace {

TEST(PetscCalls, WithoutAnErrorThereIsNoComplaint) {
  const PetscCalls calls(PETSC_COMM_WORLD);
  EXPECT_FALSE(calls.complaint([] { return PetscErrorCode{0}; }));
}

TEST(PetscCalls, AnErrorOfOneRankIsTheComplaintOfAll) {
  const PetscCalls calls(PETSC_COMM_WORLD);
  const int rank = test::rank_in(PETSC_COMM_WORLD), last = test::size_of(PETSC_COMM_WORLD) - 1;
  for (int failing = 0; failing <= last; ++failing) {
    const auto words = calls.complaint([&]() -> PetscErrorCode {
      if (rank >= failing) SETERRQ(PETSC_COMM_SELF, PETSC_ERR_USER, "rank %d says\nno", rank);
      return 0;
    });
    EXPECT_EQ(words, "rank " + std::to_string(failing) + " says no");
  }
}

TEST(PetscCalls, WordsAreThoseOfTheFirstError) {
  const PetscCalls calls(PETSC_COMM_WORLD);
  PetscHandle<KSP> solver;
  check_petsc(KSPCreate(PETSC_COMM_WORLD, solver.receive()));
  const auto words = calls.complaint([&] { return KSPSetType(solver, "nonsense"); });
  ASSERT_TRUE(words);
  EXPECT_NE(words->find("Unable to find requested KSP type nonsense"), std::string::npos) << *words;
}

}  // namespace
}  // namespace traction
