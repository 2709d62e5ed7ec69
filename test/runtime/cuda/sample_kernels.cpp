//===- sample_kernels.cpp - the kernels of backend_test.cpp, as the compiler writes them ------===//
#include "runtime/cuda/kernels/program.cuh"

// limb, result, operand, row of a constant, operand, scalar, row of a constant
SLUICE_LIMB_KERNEL(limb_kernel_0, 7, elements) {
  const Residues v0 = mul(b, load(b, 2), load(b, 3));
  const Residues v1 = mulScalar(b, add(b, v0, load(b, 4)), 5);
  const Residues v2 = mul(b, v1, load(b, 6));
  store(b, 1, v2);
}

// limb, half form, operand
SLUICE_LIMB_KERNEL(limb_kernel_1, 3, rows) {
  const Half v0 = inttRows(b, load(b, 2));
  storeHalf(b, 1, v0);
}

// limb, two results, half form, operand, rows of two digits of halves b and a
SLUICE_LIMB_KERNEL(limb_kernel_2, 9, rows) {
  const Residues v0 = nttRows(b, loadHalf(b, 3)), v1 = load(b, 4);
  Sum v2 = beginSum(b), v3 = beginSum(b);
  addProduct(b, v2, v0, load(b, 5));
  addProduct(b, v2, v1, load(b, 6));
  addProduct(b, v3, v0, load(b, 7));
  addProduct(b, v3, v1, load(b, 8));
  store(b, 1, reduceSum(b, v2));
  store(b, 2, reduceSum(b, v3));
}
