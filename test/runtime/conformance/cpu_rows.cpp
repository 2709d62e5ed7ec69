//===- cpu_rows.cpp - the conformance suite on the rows of the CPU ----------------------------===//
#include "test/runtime/conformance/rows_under_test.h"

namespace sluice::test {

std::vector<const kernels::KernelTable *> rowsUnderTest() { return kernels::allKernelTables(); }

} // namespace sluice::test
