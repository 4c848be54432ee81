// Settings of how the operator of the Newton systems is computed.
#pragma once

#include <array>

#include "settings/declaration.h"

namespace traction {

enum class OperatorKind { assembled, matrix_free };

constexpr auto choices_of(OperatorKind) {
  return std::to_array<Choice<OperatorKind>>({{OperatorKind::assembled, "assembled", "Local terms are 3x3 blocks."},
                                              {OperatorKind::matrix_free, "matrix_free", "All products come from dual numbers."}});
}

}  // namespace traction
