//===- conformance_kernels.cpp - one limb kernel for each operation, for the conformance tests ===//
//
// Compiled for the host once for each degree and arithmetic, and by nvcc on machines with a GPU:
// what the compiler writes for a program of single operations. Sums take any number of products.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/cuda/kernels/program.cuh"

SLUICE_LIMB_KERNEL(conformance_add, 4, elements) {
  const Residues x = add(b, load(b, 2), load(b, 3));
  store(b, 1, x);
}

SLUICE_LIMB_KERNEL(conformance_sub, 4, elements) {
  const Residues x = sub(b, load(b, 2), load(b, 3));
  store(b, 1, x);
}

SLUICE_LIMB_KERNEL(conformance_negate, 3, elements) {
  const Residues x = negate(b, load(b, 2));
  store(b, 1, x);
}

SLUICE_LIMB_KERNEL(conformance_mul, 4, elements) {
  const Residues x = mul(b, load(b, 2), load(b, 3));
  store(b, 1, x);
}

SLUICE_LIMB_KERNEL(conformance_mac, 5, elements) {
  const Residues x = mac(b, load(b, 2), load(b, 3), load(b, 4));
  store(b, 1, x);
}

SLUICE_LIMB_KERNEL(conformance_mul_scalar, 4, elements) {
  const Residues x = mulScalar(b, load(b, 2), 3);
  store(b, 1, x);
}

SLUICE_LIMB_KERNEL(conformance_add_scalar, 4, elements) {
  const Residues x = addScalar(b, load(b, 2), 3);
  store(b, 1, x);
}

SLUICE_LIMB_KERNEL(conformance_sub_mul_scalar, 5, elements) {
  const Residues x = subMulScalar(b, load(b, 2), load(b, 3), 4);
  store(b, 1, x);
}

SLUICE_LIMB_KERNEL(conformance_automorphism, 4, elements) {
  const Residues x = loadAt(b, 2, 3);
  store(b, 1, x);
}

// A chain of values that are not canonical in between: (-(a - b) * s) * (a + s) + b.
SLUICE_LIMB_KERNEL(conformance_chain, 5, elements) {
  const Residues x = load(b, 2), y = load(b, 3);
  const Residues difference = mulScalar(b, negate(b, sub(b, x, y)), 4);
  const Residues result = mac(b, y, difference, addScalar(b, x, 4));
  store(b, 1, result);
}

/// Parameters: limb, two results, two summands, the number of products, and for each its shared
/// factor and two values; of a number of words that the kernel reads first, for all limbs alike.
template <typename Scope> SLUICE_DEVICE void sums(const typename Scope::Block &b) {
  typename Scope::Sum first = beginSum(b, load(b, 3)), second = beginSum(b, load(b, 4));
  const uint32_t count = static_cast<uint32_t>(b.parameters[5]);
  for (uint32_t j = 0; j < count; ++j) {
    const typename Scope::Residues factor = load(b, 6 + 3 * j);
    addProduct(b, first, factor, load(b, 7 + 3 * j));
    addProduct(b, second, factor, load(b, 8 + 3 * j));
  }
  store(b, 1, reduceSum(b, first));
  store(b, 2, reduceSum(b, second));
}

// A limb has room for 256 products, the most of functions.def.
SLUICE_LIMB_KERNEL(conformance_sums, 6 + 3 * 256, elements) {
  sums<sluice::cuda::KernelScope<Block>>(b);
}
