//===- cpu_features.cpp - instruction sets of this processor ----------------------------------===//
#include "runtime/base/cpu_features.h"

namespace sluice {

static CpuFeatures askProcessor() {
  CpuFeatures features;
#if defined(__x86_64__)
  // The compiler's support library checks CPUID and that the system saves the registers (XGETBV).
  __builtin_cpu_init();
  features.hasAvx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                     __builtin_cpu_supports("bmi2");
  features.hasAvx512Ifma =
      features.hasAvx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512ifma");
#endif
  return features;
}

const CpuFeatures &cpuFeatures() {
  static const CpuFeatures features = askProcessor();
  return features;
}

} // namespace sluice
