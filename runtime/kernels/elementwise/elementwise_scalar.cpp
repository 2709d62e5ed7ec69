//===- elementwise_scalar.cpp - kernels that work position by position ------------------------===//
#include "runtime/kernels/arithmetic.h"
#include "runtime/kernels/rows.h"

namespace sluice::kernels::scalar {

namespace {

void add(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
         const uint64_t *b) {
  const uint64_t q = prime.q;
  for (size_t i = 0; i < n; ++i)
    dst[i] = addModulo(a[i], b[i], q);
}

void sub(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
         const uint64_t *b) {
  const uint64_t q = prime.q;
  for (size_t i = 0; i < n; ++i)
    dst[i] = subModulo(a[i], b[i], q);
}

void negate(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a) {
  const uint64_t q = prime.q;
  for (size_t i = 0; i < n; ++i)
    dst[i] = subModulo(0, a[i], q);
}

void mul(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
         const uint64_t *b) {
  const PrimeConstants constants = prime; // A copy, so that stores to dst cannot change it.
  for (size_t i = 0; i < n; ++i)
    dst[i] = mulModulo(constants, a[i], b[i]);
}

void mac(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *acc,
         const uint64_t *a, const uint64_t *b) {
  const PrimeConstants constants = prime;
  for (size_t i = 0; i < n; ++i)
    dst[i] = reduceProduct(constants, static_cast<Word128>(a[i]) * b[i] + acc[i]);
}

void mulScalar(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
               uint64_t scalar) {
  const uint64_t q = prime.q;
  const ShoupFactor factor = makeShoupFactor(prime, scalar);
  for (size_t i = 0; i < n; ++i)
    dst[i] = mulShoup(a[i], factor, q);
}

void addScalar(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
               uint64_t scalar) {
  const uint64_t q = prime.q;
  for (size_t i = 0; i < n; ++i)
    dst[i] = addModulo(a[i], scalar, q);
}

void subMulScalar(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
                  const uint64_t *b, uint64_t scalar) {
  const uint64_t q = prime.q;
  const ShoupFactor factor = makeShoupFactor(prime, scalar);
  for (size_t i = 0; i < n; ++i)
    dst[i] = mulShoup(a[i] + q - b[i], factor, q);
}

void reduceSmall(const PrimeConstants &prime, size_t n, uint64_t *dst, const int8_t *src) {
  for (size_t i = 0; i < n; ++i) {
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): a small number, not a character
    const int64_t value = src[i];
    // q is added under the mask of the sign.
    dst[i] = static_cast<uint64_t>(value) + (prime.q & static_cast<uint64_t>(value >> 63));
  }
}

void reduceSigned(const PrimeConstants &prime, size_t n, uint64_t *dst, const int64_t *src) {
  const uint64_t offset = uint64_t{1} << 63, offsetResidue = reduceWord(prime, offset);
  for (size_t i = 0; i < n; ++i)
    dst[i] = subModulo(reduceWord(prime, static_cast<uint64_t>(src[i]) + offset), offsetResidue,
                       prime.q);
}

} // namespace

void addElementwise(KernelTable &table) {
  table.add = add;
  table.sub = sub;
  table.negate = negate;
  table.mul = mul;
  table.mac = mac;
  table.mulScalar = mulScalar;
  table.addScalar = addScalar;
  table.subMulScalar = subMulScalar;
  table.reduceSmall = reduceSmall;
  table.reduceSigned = reduceSigned;
}

} // namespace sluice::kernels::scalar
