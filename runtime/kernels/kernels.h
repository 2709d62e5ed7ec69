//===- kernels.h - the table of kernels -------------------------------------------------------===//
//
// One slot, one contract; every row (scalar, avx512ifma, ...) fills every slot and gives the same
// bits. A kernel works on one limb, or on one group of limbs, in the thread that calls it. It does
// not allocate, keeps no state and cannot fail: what could be wrong was checked by its caller.
//
// Common terms of all contracts, unless a slot says otherwise:
//  - a residue is a 64-bit word in [0, q), q the prime of its limb, 2^19 < q < 2^50: inputs must
//  be, outputs are;
//  - a polynomial limb is N = 2^logN words, 3 <= logN <= 17; a kernel with a parameter `n` works on
//  n words, n a positive
//    multiple of 8 (a part of a limb, say);
//  - a destination may be exactly one of the inputs (in place); any other overlap is forbidden;
//  - pointers need the alignment of a word, 64 bytes are fastest.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_KERNELS_KERNELS_H
#define SLUICE_RUNTIME_KERNELS_KERNELS_H

#include "runtime/base/status.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::kernels {

/// Widths of primes that the kernels take, in bits: 2^(bits-1) < q < 2^bits.
inline constexpr unsigned minPrimeBits = 20, maxPrimeBits = 50;
/// Degrees that the kernels take.
inline constexpr unsigned minLogN = 3, maxLogN = 17;
/// Largest number of source limbs of a base conversion, and of terms of a sum of products.
inline constexpr size_t maxConvertSources = 128, maxDigits = 256;
/// Most words of a row of the half form, and most rows.
inline constexpr size_t maxRowWords = 2048, maxRows = 512;
/// Most words of each limb that a base conversion between half forms works on at once.
inline constexpr size_t convertTileWords = 4096;
/// Words between two tiles in its scratch: tiles a power of two apart would share few places of a
/// cache.
inline constexpr size_t convertTilePadding = 16;
/// Most destinations that it works on at once.
inline constexpr size_t convertTiles = 2;

/// A constant c with what Shoup's product by it needs: quotient = floor(c * 2^64 / q). The 52-bit
/// form of the quotient, floor(c * 2^52 / q), is quotient >> 12.
struct ShoupFactor {
  uint64_t value = 0;
  uint64_t quotient = 0;
};

/// A prime with the constants of its reductions. Other forms follow by shifts, since floor(floor(x)
/// / 2^s) is floor(x / 2^s): floor(2^(bits+50)/q) = barrett >> 4, floor(2^(bits+51)/q) = barrett >>
/// 3, floor(2^52/q) = wordBarrett >> 12.
struct PrimeConstants {
  uint64_t q = 0;
  unsigned bits = 0;        // 2^(bits-1) < q < 2^bits
  uint64_t barrett = 0;     // floor(2^(bits+54) / q)
  uint64_t wideBarrett = 0; // floor(2^(bits+62) / q)
  uint64_t wordBarrett = 0; // floor(2^64 / q)
  ShoupFactor pow2To52;     // 2^52 mod q
  ShoupFactor pow2To64;     // 2^64 mod q
};

/// Words of a row of a twisted transform.
inline constexpr size_t twistedRowWords = 256;

/// The last four stages of an NTT split X^16 - eta^16 for another eta in each block of 16 words.
/// With X = eta Y, word k times eta^k, it is Y^16 - 1 for all of them: four cyclic stages with the
/// roots, the first 8 of the limb's. Since eta is a power that the row gives times one that
/// the place in the row gives, the factors are two small tables. The same for inverse roots, where
/// the factors take the twist away. Quotients are floor(value * 2^52 / q).
struct TwistedRow {
  uint64_t twists[16], twistQuotients[16]; // a_r^k, 1 where the limb is one row
  uint64_t rootTwists[16],
      rootTwistQuotients[16];            // the same times the root of the row's first stage
  uint64_t roots[16], rootQuotients[16]; // 2^s + i: root i of stage s of the row, s < 4
};
struct TwistedBlock {
  uint64_t twists[16], twistQuotients[16]; // b^k of a block of 16 words
};

/// The twists of one direction: N / twistedRowWords rows, or one, and the blocks of a row.
struct TwistTables {
  const TwistedRow *rows = nullptr;
  const TwistedBlock *blocks = nullptr;
};

/// All that kernels know of one limb; owned by ring::NttTables. psi is the limb's primitive 2N-th
/// root of unity (docs/formats.md, "Evaluation form"), r(i) the reversal of the logN bits of i.
struct LimbTables {
  PrimeConstants prime;
  unsigned logN = 0;
  const uint64_t *roots = nullptr;                // N words: psi^r(i)
  const uint64_t *rootQuotients = nullptr;        // their Shoup quotients
  const uint64_t *inverseRoots = nullptr;         // N words: psi^-r(i)
  const uint64_t *inverseRootQuotients = nullptr; // their Shoup quotients
  const uint64_t *columnQuotients = nullptr;      // floor(root * 2^52 / q), min(N, maxRows) words
  const uint64_t *inverseColumnQuotients = nullptr;
  TwistTables twists, inverseTwists;
  const double *centredRoots = nullptr; // the roots as integers in (-q/2, q/2)
  const double *centredInverseRoots = nullptr;
  ShoupFactor inverseN;     // N^-1
  ShoupFactor inverseNRoot; // N^-1 * inverseRoots[1]
};

/// Source limb k of a base conversion from D = q_0 * q_1 * ...; what follows `punctured` is for
/// baseConvertColumns alone.
struct ConvertSource {
  PrimeConstants prime;             // q_k
  ShoupFactor punctured;            // (D / q_k)^-1 mod q_k
  const LimbTables *limb = nullptr; // that q_k is the prime of
  ShoupFactor scaled = {};          // punctured * N^-1: the product that ends an inverse NTT too
  ShoupFactor scaledRoot = {};      // punctured * N^-1 * inverseRoots[1]
};

/// Destination limb t of a base conversion.
struct ConvertDestination {
  PrimeConstants prime;             // t
  const uint64_t *factors;          // D / q_k mod t, one for each source
  uint64_t minusProduct;            // -D mod t
  const LimbTables *limb = nullptr; // that t is the prime of; for baseConvertColumns alone
};

/// The constants of one base conversion; owned by ring::BaseConversion.
struct ConvertTables {
  size_t sourceCount = 0; // 1 ... maxConvertSources
  const ConvertSource *sources = nullptr;
  size_t destinationCount = 0;
  const ConvertDestination *destinations = nullptr;

  /// Words that baseConvertColumns needs for itself.
  size_t scratchWords() const {
    return (sourceCount + 1 + convertTiles) * (convertTileWords + convertTilePadding);
  }
};

/// One row of the matrix of kernels.
///
/// The half form is half a transform: a limb as a matrix of rows of rowWords(logN) words, of which
/// the stages across rows are done and those within rows are not. What its words hold is each row
/// of kernels' own affair: only inttRows writes what baseConvertColumns reads, and only
/// baseConvertColumns what nttRows reads. Where there is one row, it is the coefficient form.
struct KernelTable {
  const char *name; // "scalar", "avx2", "avx512ifma": what SLUICE_CPU takes
  bool isEmulated;  // compiled for tests against runtime/kernels/avx512.h without the instructions

  /// dst = NTT(src): natural order of coefficients to evaluation form, position i at psi^(2 r(i) +
  /// 1). N words.
  void (*ntt)(const LimbTables &limb, uint64_t *dst, const uint64_t *src);
  /// dst = NTT^-1(src).
  void (*intt)(const LimbTables &limb, uint64_t *dst, const uint64_t *src);

  /// Words of a row of the half form: a power of two, at most maxRowWords, and N divided by it at
  /// most maxRows.
  size_t (*rowWords)(unsigned logN);
  /// The rest of an NTT, half to evaluation form, for `words` words from word `begin` of the
  /// result on, both multiples of rowWords. dst points to word `begin`, src to the whole limb,
  /// whose words may stand in any order. Not in place.
  void (*nttRows)(const LimbTables &limb, size_t begin, size_t words, uint64_t *dst,
                  const uint64_t *src);
  /// The beginning of an inverse NTT, evaluation to half form, for the same words of src: src
  /// points to word `begin`, dst to the whole limb, of which different parts write different words.
  /// Not in place.
  void (*inttRows)(const LimbTables &limb, size_t begin, size_t words, uint64_t *dst,
                   const uint64_t *src);

  /// dst = src modulo q, for signed bytes, and for signed words, of any value.
  void (*reduceSmall)(const PrimeConstants &prime, size_t n, uint64_t *dst, const int8_t *src);
  void (*reduceSigned)(const PrimeConstants &prime, size_t n, uint64_t *dst, const int64_t *src);

  /// dst = a + b.
  void (*add)(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
              const uint64_t *b);
  /// dst = a - b.
  void (*sub)(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
              const uint64_t *b);
  /// dst = -a.
  void (*negate)(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a);
  /// dst = a * b, position by position.
  void (*mul)(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
              const uint64_t *b);
  /// dst = acc + a * b, position by position.
  void (*mac)(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *acc,
              const uint64_t *a, const uint64_t *b);
  /// dst = a * scalar; scalar in [0, q).
  void (*mulScalar)(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
                    uint64_t scalar);
  /// dst = a + scalar in every position; scalar in [0, q).
  void (*addScalar)(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
                    uint64_t scalar);
  /// dst = (a - b) * scalar; scalar in [0, q).
  void (*subMulScalar)(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
                       const uint64_t *b, uint64_t scalar);

  /// dst[i] = src[permutation[i]], i < n; the permutation is that of ring::evalPermutation for an
  /// automorphism in evaluation form, or n of its words from a multiple of eight on: it takes
  /// aligned groups of eight to such groups. Not in place.
  void (*automorphism)(size_t n, uint64_t *dst, const uint64_t *src, const uint32_t *permutation);

  /// Centred base conversion, coefficient form: destinations[t] = [x]_D mod t, x given by
  /// sources[k] = x mod q_k. Exactly (docs/mathematics.md 2.1; the same bits in every row): y_k =
  /// x_k * (D/q_k)^-1 mod q_k, b = bits of q_k, w_k = floor(2^(b+51) / q_k), v_k = floor((y_k *
  /// 2^(52-b)) * w_k / 2^52), z = floor((sum v_k + 2^50) / 2^51), result = (sum y_k * (D/q_k mod t)
  /// - z * (D mod t)) mod t. sources and destinations are arrays of pointers to n words each; no
  /// destination may overlap a source.
  void (*baseConvert)(const ConvertTables &tables, size_t n, uint64_t *const *destinations,
                      const uint64_t *const *sources);

  /// The same from half form to half form: nttRows of the destinations is the NTT of what
  /// baseConvert makes of the inverse NTT whose inttRows are the sources. Works on `columns`
  /// columns from column `begin` on, both multiples of 16, or of rowWords if that is less; pointers
  /// are to whole limbs. `scratch`: tables.scratchWords() words.
  void (*baseConvertColumns)(const ConvertTables &tables, size_t begin, size_t columns,
                             uint64_t *const *destinations, const uint64_t *const *sources,
                             uint64_t *scratch);

  /// dst0 = sum_j digits[j] * b[j], dst1 = sum_j digits[j] * a[j] over j < digitCount, 1 <=
  /// digitCount <= maxDigits; accumulated wide, reduced once. digits, b, a are arrays of pointers
  /// to n words each. Destinations overlap nothing.
  void (*innerProduct)(const PrimeConstants &prime, size_t n, uint64_t *dst0, uint64_t *dst1,
                       size_t digitCount, const uint64_t *const *digits, const uint64_t *const *b,
                       const uint64_t *const *a);

  /// dst0 = acc0 + sum_j weights[j] * values0[j], dst1 = acc1 + sum_j weights[j] * values1[j] over
  /// j < count, 1 <= count <= maxDigits; accumulated wide, reduced once.
  void (*weightedSum)(const PrimeConstants &prime, size_t n, uint64_t *dst0, uint64_t *dst1,
                      const uint64_t *acc0, const uint64_t *acc1, size_t count,
                      const uint64_t *const *weights, const uint64_t *const *values0,
                      const uint64_t *const *values1);

  /// In place: n = 2^logSlots complex numbers (pairs re, im), w to z = SF_n * w: z[j] = sum_k w[k]
  /// * psi^(k * 5^j), psi = exp(i pi / 2n) (docs/mathematics.md section 1). roots: pairs,
  /// roots[h + j] = exp(2 pi i * (5^j mod 8h) / 8h) for h = 1, 2, 4 ... n/2 and j < h. Not
  /// bit-exact across rows; rms error below 2^-51 of the rms of z.
  void (*embed)(unsigned logSlots, double *values, const double *roots);
  /// The inverse: z to w = (1/n) * SF_n^H * z.
  void (*unembed)(unsigned logSlots, double *values, const double *roots);

  /// embed in double-double (embedding/double_double.h), each part high + low with |low| <=
  /// ulp(high) / 2. values: four planes of n doubles, real parts high and low, imaginary parts high
  /// and low. roots: four such planes of the roots above, index 0 unused, of at least n each;
  /// `rootCount` is the length of a plane. Not bit-exact across rows; rms error below 2^-95 of the
  /// rms of z, for values whose products with 2^-106 are still normal numbers.
  void (*embedWide)(unsigned logSlots, double *values, size_t rootCount, const double *roots);
  /// The inverse.
  void (*unembedWide)(unsigned logSlots, double *values, size_t rootCount, const double *roots);
};

/// The row with which to compute modulo primes of at most `primeBitsMax` bits: the fastest that
/// this machine runs, or the one that the environment variable SLUICE_CPU names (invalidArgument:
/// no such row; unsupportedVersion: not on this machine or not for this width; the message lists
/// what would do).
Expected<const KernelTable *> selectKernels(unsigned primeBitsMax);

/// Every row that runs here, the scalar one first; for tests and benchmarks. Includes emulated
/// rows.
const std::vector<const KernelTable *> &allKernelTables();

} // namespace sluice::kernels

#endif // SLUICE_RUNTIME_KERNELS_KERNELS_H
