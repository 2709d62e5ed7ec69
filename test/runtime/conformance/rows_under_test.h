//===- rows_under_test.h - what the conformance suite compares with the scalar row ------------===//
#ifndef SLUICE_TEST_RUNTIME_CONFORMANCE_ROWS_UNDER_TEST_H
#define SLUICE_TEST_RUNTIME_CONFORMANCE_ROWS_UNDER_TEST_H

#include "runtime/kernels/kernels.h"

#include <vector>

namespace sluice::test {

/// Each binary of the suite has its own.
std::vector<const kernels::KernelTable *> rowsUnderTest();

} // namespace sluice::test

#endif // SLUICE_TEST_RUNTIME_CONFORMANCE_ROWS_UNDER_TEST_H
