//===- elementwise.cu - element-wise kernels on one limb, 64-bit integers ---------------------===//
//
// The contracts are those of runtime/kernels/kernels.h: canonical residues in and out, one thread a position, the same bits
// as the scalar row. `bits` and `barrett` = floor(2^(bits+54) / q) are the limb's PrimeConstants.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/cuda/kernels/launch.cuh"

/// x mod q for x = high * 2^64 + low < 4 q^2 (Barrett; the quotient is short by at most one).
SLUICE_DEVICE uint64_t reduceProduct(uint64_t high, uint64_t low, uint64_t q, unsigned bits,
                                     uint64_t barrett) {
  unsigned shift = bits - 10; // 10 ... 40
  uint64_t top = (high << (64 - shift)) | (low >> shift);
  uint64_t remainder = low - mulHigh(top, barrett) * q;
  return remainder >= q ? remainder - q : remainder;
}

SLUICE_DEVICE uint64_t mulModulo(uint64_t a, uint64_t b, uint64_t q, unsigned bits,
                                 uint64_t barrett) {
  return reduceProduct(mulHigh(a, b), a * b, q, bits, barrett);
}

SLUICE_DEVICE uint64_t addModulo(uint64_t a, uint64_t b, uint64_t q) {
  uint64_t sum = a + b;
  return sum >= q ? sum - q : sum;
}

SLUICE_DEVICE uint64_t subModulo(uint64_t a, uint64_t b, uint64_t q) {
  return a >= b ? a - b : a - b + q;
}

/// dst = a + b.
SLUICE_KERNEL sluice_add(uint64_t n, uint64_t *dst, const uint64_t *a, const uint64_t *b,
                         uint64_t q) {
  uint64_t i = globalIndex();
  if (i < n)
    dst[i] = addModulo(a[i], b[i], q);
}

/// dst = a - b.
SLUICE_KERNEL sluice_sub(uint64_t n, uint64_t *dst, const uint64_t *a, const uint64_t *b,
                         uint64_t q) {
  uint64_t i = globalIndex();
  if (i < n)
    dst[i] = subModulo(a[i], b[i], q);
}

/// dst = -a.
SLUICE_KERNEL sluice_negate(uint64_t n, uint64_t *dst, const uint64_t *a, uint64_t q) {
  uint64_t i = globalIndex();
  if (i < n)
    dst[i] = subModulo(0, a[i], q);
}

/// dst = a * b.
SLUICE_KERNEL sluice_mul(uint64_t n, uint64_t *dst, const uint64_t *a, const uint64_t *b,
                         uint64_t q, unsigned bits, uint64_t barrett) {
  uint64_t i = globalIndex();
  if (i < n)
    dst[i] = mulModulo(a[i], b[i], q, bits, barrett);
}

/// dst = acc + a * b.
SLUICE_KERNEL sluice_mac(uint64_t n, uint64_t *dst, const uint64_t *acc, const uint64_t *a,
                         const uint64_t *b, uint64_t q, unsigned bits, uint64_t barrett) {
  uint64_t i = globalIndex();
  if (i < n)
    dst[i] = addModulo(acc[i], mulModulo(a[i], b[i], q, bits, barrett), q);
}

/// dst = a * scalar.
SLUICE_KERNEL sluice_mul_scalar(uint64_t n, uint64_t *dst, const uint64_t *a, uint64_t scalar,
                                uint64_t q, unsigned bits, uint64_t barrett) {
  uint64_t i = globalIndex();
  if (i < n)
    dst[i] = mulModulo(a[i], scalar, q, bits, barrett);
}

/// dst = a + scalar.
SLUICE_KERNEL sluice_add_scalar(uint64_t n, uint64_t *dst, const uint64_t *a, uint64_t scalar,
                                uint64_t q) {
  uint64_t i = globalIndex();
  if (i < n)
    dst[i] = addModulo(a[i], scalar, q);
}

/// dst = (a - b) * scalar.
SLUICE_KERNEL sluice_sub_mul_scalar(uint64_t n, uint64_t *dst, const uint64_t *a,
                                    const uint64_t *b, uint64_t scalar, uint64_t q, unsigned bits,
                                    uint64_t barrett) {
  uint64_t i = globalIndex();
  if (i < n)
    dst[i] = mulModulo(subModulo(a[i], b[i], q), scalar, q, bits, barrett);
}
