//===- CalibrationCode.h - device code that is timed ------------------------------------------===//
#ifndef SLUICE_PASSES_DRIVER_CALIBRATIONCODE_H
#define SLUICE_PASSES_DRIVER_CALIBRATIONCODE_H

#include "passes/driver/Diagnostics.h"

#include <string>
#include <vector>

namespace sluice {

struct CalibrationCode {
  /// Empty when a diagnostic of severity Error was given.
  std::string bytes;
  std::vector<Diagnostic> diagnostics;
};

/// Compiles runtime/cuda/kernels/calibration.cuh for rings of degree 2^logN (3 to 17) with
/// findNvcc(), as the code of programs is; errors as compileDeviceCode. Never prints.
CalibrationCode compileCalibration(unsigned logN);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_CALIBRATIONCODE_H
