//===- calibration.cuh - single operations and chains of them, to be timed --------------------===//
//
// What the compiler writes for a program of such loops, but for the counts: done once, an operation
// has its operands from memory; done many times, it has them in registers, and what one more costs
// is the difference of two counts. `#define SLUICE_LOG_N` comes before, as for program.cuh.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_KERNELS_CALIBRATION_CUH
#define SLUICE_RUNTIME_CUDA_KERNELS_CALIBRATION_CUH

#include "runtime/cuda/kernels/calibration_kernels.h"
#include "runtime/cuda/kernels/program.cuh"

/// A loop over operations must cost nothing beside them.
#ifdef SLUICE_CUDA_HOST_SHIM
#define SLUICE_UNROLL_8
#else
#define SLUICE_UNROLL_8 _Pragma("unroll 8")
#endif

/// Defines the kernel with this number, and `shape` for its body.
#define SLUICE_CALIBRATION_KERNEL(number, kernel, kind)                                            \
  static_assert(CalibrationKernel::kernel == CalibrationKernel(number) &&                          \
                    shapeOf(CalibrationKernel::kernel).isRows == is_##kind,                        \
                "runtime/calibrate launches it so");                                               \
  struct limb_kernel_##number##_shape {                                                            \
    static constexpr CalibrationShape shape = shapeOf(CalibrationKernel::kernel);                  \
    static constexpr uint32_t parameters = shape.parameters(), scalar = shape.scalar(),            \
                              count = shape.count();                                               \
  };                                                                                               \
  SLUICE_LIMB_KERNEL(limb_kernel_##number, limb_kernel_##number##_shape::parameters, kind)

constexpr bool is_elements = false, is_rows = true;

/// One result of an operation on x and other operands: parameters 2, 3 and 4.
#define SLUICE_CALIBRATION_OPERATION(number, kernel, operation, ...)                               \
  SLUICE_CALIBRATION_KERNEL(number, kernel, elements) {                                            \
    using Shape = limb_kernel_##number##_shape;                                                    \
    constexpr uint32_t scalar = Shape::scalar;                                                     \
    (void)scalar;                                                                                  \
    Residues x = load(b, 2);                                                                       \
    __VA_ARGS__                                                                                    \
    const uint32_t count = static_cast<uint32_t>(b.parameters[Shape::count]);                      \
    SLUICE_UNROLL_8                                                                                \
    for (uint32_t i = 0; i < count; ++i)                                                           \
      x = operation;                                                                               \
    store(b, 1, x);                                                                                \
  }

SLUICE_CALIBRATION_KERNEL(0, straight, elements) {
  const Residues x = load(b, 2);
  store(b, 1, x);
}

SLUICE_CALIBRATION_KERNEL(1, zero, elements) { store(b, 1, zero(b)); }

SLUICE_CALIBRATION_OPERATION(2, add, add(b, x, y), const Residues y = load(b, 3);)
SLUICE_CALIBRATION_OPERATION(3, sub, sub(b, x, y), const Residues y = load(b, 3);)
SLUICE_CALIBRATION_OPERATION(4, negate, negate(b, x))
SLUICE_CALIBRATION_OPERATION(5, mul, mul(b, x, y), const Residues y = load(b, 3);)
SLUICE_CALIBRATION_OPERATION(6, mac, mac(b, y, x, z), const Residues y = load(b, 3);
                             const Residues z = load(b, 4);)
SLUICE_CALIBRATION_OPERATION(7, mulScalar, mulScalar(b, x, scalar))
SLUICE_CALIBRATION_OPERATION(8, addScalar, addScalar(b, x, scalar))
SLUICE_CALIBRATION_OPERATION(9, subMulScalar, subMulScalar(b, x, y, scalar),
                             const Residues y = load(b, 3);)

SLUICE_CALIBRATION_KERNEL(10, automorphism, elements) {
  const Residues x = loadAt(b, 2, limb_kernel_10_shape::scalar);
  store(b, 1, x);
}

SLUICE_CALIBRATION_KERNEL(11, nttRows, rows) {
  Residues x = loadHalf(b, 2);
  const uint32_t count = static_cast<uint32_t>(b.parameters[limb_kernel_11_shape::count]);
  for (uint32_t i = 0; i < count; ++i)
    x = nttRows(b, x);
  store(b, 1, x);
}

SLUICE_CALIBRATION_KERNEL(12, inttRows, rows) {
  Half x = load(b, 2);
  const uint32_t count = static_cast<uint32_t>(b.parameters[limb_kernel_12_shape::count]);
  for (uint32_t i = 0; i < count; ++i)
    x = inttRows(b, x);
  storeHalf(b, 1, x);
}

/// Parameters from 3 on: a digit and the two words that it is multiplied by, Digits times.
template <typename Scope, uint32_t Digits>
SLUICE_DEVICE void calibrationProduct(const typename Scope::Block &b) {
  typename Scope::Sum first = beginSum(b), second = beginSum(b);
  SLUICE_UNROLL
  for (uint32_t digit = 0; digit < Digits; ++digit) {
    const typename Scope::Residues x = load(b, 3 + 3 * digit);
    addProduct(b, first, x, load(b, 4 + 3 * digit));
    addProduct(b, second, x, load(b, 5 + 3 * digit));
  }
  store(b, 1, reduceSum(b, first));
  store(b, 2, reduceSum(b, second));
}

SLUICE_CALIBRATION_KERNEL(13, product1, elements) { calibrationProduct<KernelScope<Block>, 1>(b); }
SLUICE_CALIBRATION_KERNEL(14, product2, elements) { calibrationProduct<KernelScope<Block>, 2>(b); }
SLUICE_CALIBRATION_KERNEL(15, product4, elements) { calibrationProduct<KernelScope<Block>, 4>(b); }
SLUICE_CALIBRATION_KERNEL(16, product6, elements) { calibrationProduct<KernelScope<Block>, 6>(b); }

SLUICE_CALIBRATION_KERNEL(17, reductions, elements) {
  Residues x = load(b, 3), y = load(b, 4);
  const uint32_t count = static_cast<uint32_t>(b.parameters[limb_kernel_17_shape::count]);
  for (uint32_t i = 0; i < count; ++i) {
    x = reduceSum(b, beginSum(b, x));
    y = reduceSum(b, beginSum(b, y));
  }
  store(b, 1, x);
  store(b, 2, y);
}

// Every product is another one, in each round anew: nothing of it can be computed before.
SLUICE_CALIBRATION_KERNEL(18, digits, elements) {
  Residues x = load(b, 3), y = load(b, 4);
  const Residues factors[] = {load(b, 5), load(b, 6), load(b, 7),
                              load(b, 8), load(b, 9), load(b, 10)};
  const uint32_t count = static_cast<uint32_t>(b.parameters[limb_kernel_18_shape::count]);
  for (uint32_t i = 0; i < count; ++i) {
    Sum first = beginSum(b, x), second = beginSum(b, y);
    SLUICE_UNROLL
    for (uint32_t digit = 0; digit < digitsPerSum(); ++digit) {
      addProduct(b, first, x, factors[digit]);
      addProduct(b, second, y, factors[digit]);
    }
    x = reduceSum(b, first);
    y = reduceSum(b, second);
  }
  store(b, 1, x);
  store(b, 2, y);
}

SLUICE_CALIBRATION_KERNEL(19, nothing, elements) { (void)b; }

/// Which arithmetic kernels were compiled with.
template <typename Word> struct IsReal {
  static constexpr uint64_t value = 0;
};
template <> struct IsReal<double> {
  static constexpr uint64_t value = 1;
};

SLUICE_CALIBRATION_KERNEL(20, arithmetic, elements) {
  Residues x;
  forEachWord(b, [&](uint32_t thread, uint32_t e) {
    x.of(thread)[e] = Field::fromResidue(IsReal<Field::Word>::value);
  });
  store(b, 1, x);
}

#endif // SLUICE_RUNTIME_CUDA_KERNELS_CALIBRATION_CUH
