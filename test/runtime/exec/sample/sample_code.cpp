//===- sample_code.cpp - the code of the sample program, by hand ----------------------------===//
//
// result = c * rotate(x * y): a product with relinearisation by two hybrid digits, a rescale, a
// rotation at a lower level with a partly alive digit, a product with a constant, a rescale. Linked
// into tests as a function, and built alone (freestanding, as compiled code is) into the code
// section of an artifact.
//
//===----------------------------------------------------------------------------------------===//
#include "runtime/abi/sluice.h"
#include "test/runtime/exec/sample/sample_parameters.h"

extern "C" __attribute__((visibility("default"))) int32_t
sluice_program_run(sluice_context *context, const sluice_functions *call);

namespace {

using namespace sluice::sample;

constexpr uint64_t power(uint64_t base, uint64_t exponent, uint64_t q) {
  uint64_t result = 1;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1)
      result = static_cast<uint64_t>(static_cast<unsigned __int128>(result) * base % q);
    base = static_cast<uint64_t>(static_cast<unsigned __int128>(base) * base % q);
  }
  return result;
}

constexpr uint64_t inverse(uint64_t a, uint64_t q) { return power(a % q, q - 2, q); }

/// (p3 * p4)^-1 modulo limb i.
constexpr uint64_t inverseOfP(int i) {
  uint64_t q = primes[i];
  return inverse(
      static_cast<uint64_t>(static_cast<unsigned __int128>(primes[3] % q) * (primes[4] % q) % q),
      q);
}

constexpr uint64_t byP[] = {inverseOfP(0), inverseOfP(1), inverseOfP(2)};
constexpr uint64_t byLimb2[] = {inverse(primes[2], primes[0]), inverse(primes[2], primes[1])};
constexpr uint64_t byLimb1[] = {inverse(primes[1], primes[0])};

constexpr uint16_t limbs012[] = {0, 1, 2}, limbs034[] = {0, 3, 4}, limbs1234[] = {1, 2, 3, 4},
                   limbs134[] = {1, 3, 4}, limbs01234[] = {0, 1, 2, 3, 4},
                   limbs0134[] = {0, 1, 3, 4}, limbs34[] = {3, 4};
constexpr const uint16_t *limb1 = limbs012 + 1, *limb2 = limbs012 + 2;

// The arena. x and y are inputs (sample.cpp names the same slots); temporaries follow.
constexpr uint32_t x0[] = {40, 1, 2}, x1[] = {3, 4, 5}, y0[] = {6, 7, 8}, y1[] = {9, 10, 11};
constexpr uint32_t d0[] = {12, 13, 14}, d1[] = {15, 16, 17}, d2[] = {18, 19, 20};
constexpr uint32_t coefficients[] = {21, 22, 23}, converted[] = {24, 25, 26, 27},
                   convertedSecond[] = {28, 29, 30}, quotient[] = {41, 42, 43};
constexpr uint32_t u[] = {31, 32, 33, 34, 35}, v[] = {36, 37, 38, 39, 0};
constexpr uint32_t r0[] = {44, 45}, r1[] = {46, 47};

struct Code {
  sluice_context *context;
  const sluice_functions &call;

  /// value = (value - centred dropped) / product of the dropped limbs; leaves `dropped` in
  /// coefficient form.
  void divide(uint32_t kept, const uint16_t *limbs, const uint32_t *value, uint32_t droppedCount,
              const uint16_t *droppedLimbs, const uint32_t *dropped, const uint64_t *inverses) {
    call.intt(context, droppedCount, droppedLimbs, dropped, dropped);
    call.base_convert(context, kept, limbs, quotient, droppedCount, droppedLimbs, dropped);
    call.ntt(context, kept, limbs, quotient, quotient);
    call.sub_mul_scalar(context, kept, limbs, value, value, quotient, inverses);
  }

  void product() {
    call.mul(context, 3, limbs012, d0, x0, y0);
    call.mul(context, 3, limbs012, d1, x0, y1);
    call.mac(context, 3, limbs012, d1, d1, x1, y0);
    call.mul(context, 3, limbs012, d2, x1, y1);
  }

  /// (d0, d1) += key switch of d2 at level 2: digits {0} and {1, 2}.
  void relinearize() {
    call.intt(context, 3, limbs012, coefficients, d2);
    call.base_convert(context, 4, limbs1234, converted, 1, limbs012, coefficients);
    call.ntt(context, 4, limbs1234, converted, converted);
    call.base_convert(context, 3, limbs034, convertedSecond, 2, limb1, coefficients + 1);
    call.ntt(context, 3, limbs034, convertedSecond, convertedSecond);
    static constexpr uint32_t digits[] = {18, 24, 25, 26, 27, 28, 19, 20, 29, 30};
    static constexpr uint16_t keyDigits[] = {0, 1}, rows[] = {2, 3, 4, 0, 1};
    call.inner_product(context, 5, limbs01234, u, v, 2, digits, 0, keyDigits, rows);
    divide(3, limbs012, u, 2, limbs34, u + 3, byP);
    divide(3, limbs012, v, 2, limbs34, v + 3, byP);
    call.add(context, 3, limbs012, d0, d0, u);
    call.add(context, 3, limbs012, d1, d1, v);
  }

  void rescaleToLevel1() {
    divide(2, limbs012, d0, 1, limb2, d0 + 2, byLimb2);
    divide(2, limbs012, d1, 1, limb2, d1 + 2, byLimb2);
  }

  /// (r0, r1) = rotation of (d0, d1) at level 1: of digit {1, 2} only limb 1 is alive.
  void rotate() {
    call.automorphism(context, 2, limbs012, r0, d0, rotationByOneElement);
    call.automorphism(context, 2, limbs012, r1, d1, rotationByOneElement);
    call.intt(context, 2, limbs012, coefficients, r1);
    call.base_convert(context, 3, limbs134, converted, 1, limbs012, coefficients);
    call.ntt(context, 3, limbs134, converted, converted);
    call.base_convert(context, 3, limbs034, convertedSecond, 1, limb1, coefficients + 1);
    call.ntt(context, 3, limbs034, convertedSecond, convertedSecond);
    static constexpr uint32_t digits[] = {46, 24, 25, 26, 28, 47, 29, 30};
    static constexpr uint16_t keyDigits[] = {0, 1}, rows[] = {2, 3, 0, 1};
    call.inner_product(context, 4, limbs0134, u, v, 2, digits, 1, keyDigits, rows);
    divide(2, limbs012, u, 2, limbs34, u + 2, byP);
    divide(2, limbs012, v, 2, limbs34, v + 2, byP);
    call.add(context, 2, limbs012, r0, r0, u);
    call.copy(context, 2, r1, v);
  }

  void weigh() {
    static constexpr uint16_t rows[] = {1, 0}; // the constant has its limbs the other way round
    call.mul_constant(context, 2, limbs012, r0, r0, 0, rows);
    call.mul_constant(context, 2, limbs012, r1, r1, 0, rows);
    divide(1, limbs012, r0, 1, limb1, r0 + 1, byLimb1);
    divide(1, limbs012, r1, 1, limb1, r1 + 1, byLimb1);
  }
};

} // namespace

int32_t sluice_program_run(sluice_context *context, const sluice_functions *call) {
  Code code{context, *call};
  code.product();
  code.relinearize();
  code.rescaleToLevel1();
  code.rotate();
  code.weigh();
  return 0;
}
