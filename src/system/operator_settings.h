// How the operator of the Newton systems is made: what a user can choose.
#pragma once

namespace traction {

enum class OperatorKind { assembled, matrix_free };

}  // namespace traction
