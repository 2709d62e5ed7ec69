//===- calibration_kernels.h - the kernels that calibration times -----------------------------===//
//
// Shared by calibration.cuh, which defines them, and by runtime/calibrate, which launches them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_KERNELS_CALIBRATION_KERNELS_H
#define SLUICE_RUNTIME_CUDA_KERNELS_CALIBRATION_KERNELS_H

#include "runtime/cuda/kernels/limb_constants.h"

namespace sluice::cuda {

/// Numbers of kernels of the calibration's module: `limb_kernel_<number>`.
enum class CalibrationKernel : uint32_t {
  straight,     // a load and a store
  zero,         // a store of zeros
  add,          // x + y; this and those up to subMulScalar as often as their count says, each
  sub,          // time on the last result
  negate,       // -x
  mul,          // x * y
  mac,          // y + x * z
  mulScalar,    // x * scalar
  addScalar,    // x + scalar
  subMulScalar, // (x - y) * scalar
  automorphism, // a load at the positions of X -> X^scalar, and a store
  nttRows,      // half to evaluation form, as often as the count says
  inttRows,     // the reverse
  product1,     // sums of 1, 2, 4 and 6 products, as an inner product with a key has them
  product2,
  product4,
  product6,
  reductions, // two sums without products begun and reduced, as often as the count says
  digits,     // the same with digitsPerSum products in each
  nothing,    // no load and no store
  arithmetic, // stores 1 in all words if residues are doubles, 0 if they are integers
};
inline constexpr uint32_t calibrationKernels = 21;

/// Products of each sum of kernel `digits`.
SLUICE_CONSTANT uint32_t digitsPerSum() { return 6; }

/// The parameters of a limb: the limb, slots that are written, slots that are read, a scalar, and
/// how often the operation is done (both unused by kernels that do not say so above).
struct CalibrationShape {
  uint32_t outputs, operands;
  bool isRows = false; // of kind rows

  SLUICE_CONSTANT uint32_t scalar() const { return 1 + outputs + operands; }
  SLUICE_CONSTANT uint32_t count() const { return scalar() + 1; }
  SLUICE_CONSTANT uint32_t parameters() const { return count() + 1; }
};

SLUICE_CONSTANT CalibrationShape shapeOf(CalibrationKernel kernel) {
  switch (kernel) {
  case CalibrationKernel::zero:
  case CalibrationKernel::arithmetic:
    return {1, 0};
  case CalibrationKernel::add:
  case CalibrationKernel::sub:
  case CalibrationKernel::mul:
  case CalibrationKernel::subMulScalar:
    return {1, 2};
  case CalibrationKernel::mac:
    return {1, 3};
  case CalibrationKernel::nttRows:
  case CalibrationKernel::inttRows:
    return {1, 1, true};
  case CalibrationKernel::product1:
    return {2, 3};
  case CalibrationKernel::product2:
    return {2, 6};
  case CalibrationKernel::product4:
    return {2, 12};
  case CalibrationKernel::product6:
    return {2, 18};
  case CalibrationKernel::reductions:
    return {2, 2};
  case CalibrationKernel::digits:
    return {2, 2 + digitsPerSum()};
  case CalibrationKernel::nothing:
    return {0, 0};
  case CalibrationKernel::straight:
  case CalibrationKernel::negate:
  case CalibrationKernel::mulScalar:
  case CalibrationKernel::addScalar:
  case CalibrationKernel::automorphism:
    break;
  }
  return {1, 1};
}

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_KERNELS_CALIBRATION_KERNELS_H
