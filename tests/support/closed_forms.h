// Comparison with closed forms: asserts, and records a row of the table docs/verification.md where tests/verification asks for it, as
// tests/validation/closed_forms.py does for the tests in Python.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>

#include "support/first_rank.h"

namespace traction::test {

struct ClosedForm {
  std::string field;   // field of mechanics, by which the table is sorted
  std::string name;    // name of the case
  std::string source;  // the formula, or where it is found
  double expected = 0, got = 0;
  double tolerance = 0;    // in parts of |expected|
  std::string mesh, step;  // in words, how finely it was computed
};

// All ranks assert; the first one records.
inline void expect_closed_form(const ClosedForm& form) {
  const double error = std::abs(form.got - form.expected) / std::abs(form.expected);
  EXPECT_LE(error, form.tolerance) << form.name << ": " << form.got << ", expected " << form.expected;
  const char* folder = std::getenv("TRACTION_VERIFICATION");
  if (!folder || !first_rank()) return;
  const auto quoted = [](std::string text) {
    for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, 1, '"');
    return '"' + text + '"';
  };
  const std::string line = fmt::format("{},{},{},{:.9g},{:.9g},{:.9g},{:.9g},{},{}\n", quoted(form.field), quoted(form.name), quoted(form.source),
                                       form.expected, form.got, error, form.tolerance, quoted(form.mesh), quoted(form.step));
  std::ofstream(std::string(folder) + "/closed_forms.csv", std::ios::app) << line << std::flush;
}

}  // namespace traction::test
