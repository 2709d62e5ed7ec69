//===- cpu_features.h - instruction sets of this processor ------------------------------------===//
#ifndef SLUICE_RUNTIME_BASE_CPU_FEATURES_H
#define SLUICE_RUNTIME_BASE_CPU_FEATURES_H

namespace sluice {

/// What the processor and the operating system both support.
struct CpuFeatures {
  bool hasAvx2 = false;       // AVX2, FMA and BMI2
  bool hasAvx512Ifma = false; // AVX-512 F, DQ, BW, VL and IFMA
};

/// Asked once, then remembered.
const CpuFeatures &cpuFeatures();

} // namespace sluice

#endif // SLUICE_RUNTIME_BASE_CPU_FEATURES_H
