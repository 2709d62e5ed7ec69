//===- cpu_features_test.cpp ------------------------------------------------------------------===//
#include "runtime/base/cpu_features.h"

#include <fstream>
#include <gtest/gtest.h>
#include <string>

using namespace sluice;

namespace {

/// The kernel's view of the processor, independent of CPUID.
bool kernelListsFlag(const std::string &flag) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("flags", 0) == 0)
      return (line + " ").find(" " + flag + " ") != std::string::npos;
  return false;
}

TEST(CpuFeatures, AgreeWithTheKernel) {
#if defined(__x86_64__) && defined(__linux__)
  EXPECT_EQ(cpuFeatures().hasAvx2,
            kernelListsFlag("avx2") && kernelListsFlag("fma") && kernelListsFlag("bmi2"));
  EXPECT_EQ(cpuFeatures().hasAvx512Ifma,
            kernelListsFlag("avx512f") && kernelListsFlag("avx512dq") &&
                kernelListsFlag("avx512bw") && kernelListsFlag("avx512vl") &&
                kernelListsFlag("avx512ifma"));
#else
  EXPECT_FALSE(cpuFeatures().hasAvx2);
  EXPECT_FALSE(cpuFeatures().hasAvx512Ifma);
#endif
}

} // namespace
