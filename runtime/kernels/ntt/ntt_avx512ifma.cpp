//===- ntt_avx512ifma.cpp - negacyclic NTT with 52-bit products -------------------------------===//
//
// The transforms of ntt_scalar.cpp, eight words at a time. Values stay in [0, 4q) forward and in
// [0, 2q) backward (Harvey, arXiv 1205.2926): 4q < 2^52 is what the instructions can multiply.
// Stages of blocks of 8, 4 and 2 words work inside registers, on two blocks of 8 at once.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/kernels/arithmetic_avx512ifma.h"
#include "runtime/kernels/rows.h"

#include <cstring>

namespace sluice::kernels::SLUICE_AVX512_ROW {

namespace {

/// Blocks of this many words (16 KiB) stay in the first-level cache with their roots.
constexpr size_t cachedWords = 2048;

struct VectorRoot {
  Vector value, quotient;
};

struct Roots {
  const uint64_t *values, *quotients;

  VectorRoot broadcastAt(size_t i) const {
    return {broadcast(values[i]), broadcast(quotients[i] >> 12)};
  }

  /// `count` roots from i on, spread over the lanes as `lanes` says.
  VectorRoot spread(size_t i, uint8_t countMask, Vector lanes) const {
    const Vector value = _mm512_maskz_loadu_epi64(countMask, values + i);
    const Vector quotient =
        _mm512_srli_epi64(_mm512_maskz_loadu_epi64(countMask, quotients + i), 12);
    return {_mm512_permutexvar_epi64(lanes, value), _mm512_permutexvar_epi64(lanes, quotient)};
  }
};

/// (x, y) in [0, 4q) to (x + root y, x - root y) in [0, 4q).
inline void butterfly(Vector &x, Vector &y, const VectorRoot &root, const VectorPrime &prime) {
  const Vector product = mulShoupLazy(y, root.value, root.quotient, prime);
  const Vector reduced = reduceOnce(x, prime.twiceQ);
  x = _mm512_add_epi64(reduced, product);
  y = _mm512_sub_epi64(_mm512_add_epi64(reduced, prime.twiceQ), product);
}

/// (x, y) in [0, 2q) to (x + y, (x - y) root) in [0, 2q).
inline void inverseButterfly(Vector &x, Vector &y, const VectorRoot &root,
                             const VectorPrime &prime) {
  const Vector difference = _mm512_sub_epi64(_mm512_add_epi64(x, prime.twiceQ), y);
  x = reduceOnce(_mm512_add_epi64(x, y), prime.twiceQ);
  y = mulShoupLazy(difference, root.value, root.quotient, prime);
}

/// Exchanges the lanes of x and y: the lower group of each pair of groups of `width` lanes goes to
/// x, the upper one to y.
template <int width> inline void exchange(Vector &x, Vector &y) {
  static_assert(width == 1 || width == 2 || width == 4);
  Vector lower, upper;
  if constexpr (width == 4) {
    lower = _mm512_setr_epi64(0, 1, 2, 3, 8, 9, 10, 11);
    upper = _mm512_setr_epi64(4, 5, 6, 7, 12, 13, 14, 15);
  } else if constexpr (width == 2) {
    lower = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    upper = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  } else {
    lower = _mm512_setr_epi64(0, 8, 2, 10, 4, 12, 6, 14);
    upper = _mm512_setr_epi64(1, 9, 3, 11, 5, 13, 7, 15);
  }
  const Vector first = _mm512_permutex2var_epi64(x, lower, y);
  y = _mm512_permutex2var_epi64(x, upper, y);
  x = first;
}

/// The roots of the stages of blocks of 8, 4 and 2 words for the 16 words at `offset`; index (n +
/// offset) / length is the first root of the stage with that length.
struct LastRoots {
  VectorRoot eights, fours, twos;

  LastRoots(const Roots &roots, size_t n, size_t offset)
      : eights(roots.spread((n + offset) / 8, 0x03, _mm512_setr_epi64(0, 0, 0, 0, 1, 1, 1, 1))),
        fours(roots.spread((n + offset) / 4, 0x0f, _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3))),
        twos(roots.spread((n + offset) / 2, 0xff, _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7))) {}
};

/// The last three forward stages on 16 words, and the reduction to [0, q).
void forwardLastStages(uint64_t *data, const LastRoots &roots, const VectorPrime &prime) {
  Vector x = load(data), y = load(data + 8);
  exchange<4>(x, y);
  butterfly(x, y, roots.eights, prime);
  exchange<2>(x, y);
  butterfly(x, y, roots.fours, prime);
  exchange<1>(x, y);
  butterfly(x, y, roots.twos, prime);
  const Vector evenLanes = reduceTwice(x, prime), oddLanes = reduceTwice(y, prime);
  store(data, _mm512_permutex2var_epi64(evenLanes, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11),
                                        oddLanes));
  store(data + 8, _mm512_permutex2var_epi64(
                      evenLanes, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), oddLanes));
}

/// The first three inverse stages on 16 words.
void inverseFirstStages(uint64_t *data, const LastRoots &roots, const VectorPrime &prime) {
  const Vector first = load(data), second = load(data + 8);
  Vector x = _mm512_permutex2var_epi64(first, _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), second);
  Vector y = _mm512_permutex2var_epi64(first, _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15), second);
  inverseButterfly(x, y, roots.twos, prime);
  exchange<1>(x, y);
  inverseButterfly(x, y, roots.fours, prime);
  exchange<2>(x, y);
  inverseButterfly(x, y, roots.eights, prime);
  exchange<4>(x, y);
  store(data, x);
  store(data + 8, y);
}

/// One limb's transform under way.
struct Transform {
  uint64_t *data;
  size_t n;
  Roots roots;
  VectorPrime prime;

  /// The forward stage of blocks of `length` >= 16 words, on the words from `begin` to `end`.
  void forwardStage(size_t begin, size_t end, size_t length) const {
    const size_t half = length / 2;
    for (size_t offset = begin; offset < end; offset += length) {
      const VectorRoot root = roots.broadcastAt((n + offset) / length);
      for (uint64_t *words = data + offset; words < data + offset + half; words += 8) {
        Vector x = load(words), y = load(words + half);
        butterfly(x, y, root, prime);
        store(words, x);
        store(words + half, y);
      }
    }
  }

  /// The forward stages of blocks of `length` and `length` / 2 >= 16 words.
  void forwardTwoStages(size_t begin, size_t end, size_t length) const {
    const size_t quarter = length / 4;
    for (size_t offset = begin; offset < end; offset += length) {
      const size_t index = (n + offset) / length;
      const VectorRoot outer = roots.broadcastAt(index);
      const VectorRoot left = roots.broadcastAt(2 * index),
                       right = roots.broadcastAt(2 * index + 1);
      for (uint64_t *words = data + offset; words < data + offset + quarter; words += 8) {
        Vector x0 = load(words), x1 = load(words + quarter);
        Vector x2 = load(words + 2 * quarter), x3 = load(words + 3 * quarter);
        butterfly(x0, x2, outer, prime);
        butterfly(x1, x3, outer, prime);
        butterfly(x0, x1, left, prime);
        butterfly(x2, x3, right, prime);
        store(words, x0);
        store(words + quarter, x1);
        store(words + 2 * quarter, x2);
        store(words + 3 * quarter, x3);
      }
    }
  }

  /// The inverse stages of blocks of `length` / 2 >= 16 and `length` words.
  void inverseTwoStages(size_t begin, size_t end, size_t length) const {
    const size_t quarter = length / 4;
    for (size_t offset = begin; offset < end; offset += length) {
      const size_t index = (n + offset) / length;
      const VectorRoot outer = roots.broadcastAt(index);
      const VectorRoot left = roots.broadcastAt(2 * index),
                       right = roots.broadcastAt(2 * index + 1);
      for (uint64_t *words = data + offset; words < data + offset + quarter; words += 8) {
        Vector x0 = load(words), x1 = load(words + quarter);
        Vector x2 = load(words + 2 * quarter), x3 = load(words + 3 * quarter);
        inverseButterfly(x0, x1, left, prime);
        inverseButterfly(x2, x3, right, prime);
        inverseButterfly(x0, x2, outer, prime);
        inverseButterfly(x1, x3, outer, prime);
        store(words, x0);
        store(words + quarter, x1);
        store(words + 2 * quarter, x2);
        store(words + 3 * quarter, x3);
      }
    }
  }

  /// The inverse stage of blocks of `length` >= 16 words.
  void inverseStage(size_t begin, size_t end, size_t length) const {
    const size_t half = length / 2;
    for (size_t offset = begin; offset < end; offset += length) {
      const VectorRoot root = roots.broadcastAt((n + offset) / length);
      for (uint64_t *words = data + offset; words < data + offset + half; words += 8) {
        Vector x = load(words), y = load(words + half);
        inverseButterfly(x, y, root, prime);
        store(words, x);
        store(words + half, y);
      }
    }
  }

  /// All forward stages of lengths from `longest` down to 16, within one block of `longest` words
  /// at `begin`.
  void forwardWithin(size_t begin, size_t longest) const {
    const size_t end = begin + longest;
    size_t length = longest;
    if (__builtin_ctzll(length) % 2 == 0) { // 16 = 2^4: an odd number of stages
      forwardStage(begin, end, length);
      length /= 2;
    }
    for (; length >= 32; length /= 4)
      forwardTwoStages(begin, end, length);
    for (size_t offset = begin; offset < end; offset += 16)
      forwardLastStages(data + offset, LastRoots(roots, n, offset), prime);
  }

  /// All inverse stages of lengths up to `longest`, on the words from `begin` to `end`.
  void inverseWithin(size_t begin, size_t end, size_t longest) const {
    for (size_t offset = begin; offset < end; offset += 16)
      inverseFirstStages(data + offset, LastRoots(roots, n, offset), prime);
    inverseFrom(16, begin, end, longest);
  }

  /// The inverse stages of lengths `shortest` to `longest`; none if shortest > longest.
  void inverseFrom(size_t shortest, size_t begin, size_t end, size_t longest) const {
    size_t length = shortest;
    if (length <= longest && (__builtin_ctzll(longest) - __builtin_ctzll(length)) % 2 == 0) {
      inverseStage(begin, end, length);
      length *= 2;
    }
    for (; length < longest; length *= 4)
      inverseTwoStages(begin, end, 2 * length);
  }
};

void ntt(const LimbTables &limb, uint64_t *dst, const uint64_t *src) {
  if (limb.logN < 4)
    return scalar::ntt(limb, dst, src);
  const size_t n = size_t{1} << limb.logN;
  if (dst != src)
    std::memcpy(dst, src, n * sizeof(uint64_t));
  const Transform transform{dst, n, {limb.roots, limb.rootQuotients}, VectorPrime(limb.prime)};
  size_t length = n;
  for (; length > cachedWords; length /= 4)
    transform.forwardTwoStages(0, n, length);
  for (size_t begin = 0; begin < n; begin += length)
    transform.forwardWithin(begin, length);
}

/// The last inverse stage, joined with the product by N^-1 and the reduction to [0, q).
void inverseLastStage(const LimbTables &limb, const Transform &transform) {
  const size_t half = transform.n / 2;
  const VectorPrime &prime = transform.prime;
  const VectorRoot sumFactor{broadcast(limb.inverseN.value),
                             broadcast(limb.inverseN.quotient >> 12)};
  const VectorRoot differenceFactor{broadcast(limb.inverseNRoot.value),
                                    broadcast(limb.inverseNRoot.quotient >> 12)};
  for (uint64_t *words = transform.data; words < transform.data + half; words += 8) {
    const Vector x = load(words), y = load(words + half);
    const Vector sum = _mm512_add_epi64(x, y);
    const Vector difference = _mm512_sub_epi64(_mm512_add_epi64(x, prime.twiceQ), y);
    store(words,
          reduceOnce(mulShoupLazy(sum, sumFactor.value, sumFactor.quotient, prime), prime.q));
    store(words + half, reduceOnce(mulShoupLazy(difference, differenceFactor.value,
                                                differenceFactor.quotient, prime),
                                   prime.q));
  }
}

void intt(const LimbTables &limb, uint64_t *dst, const uint64_t *src) {
  if (limb.logN < 4)
    return scalar::intt(limb, dst, src);
  const size_t n = size_t{1} << limb.logN;
  if (dst != src)
    std::memcpy(dst, src, n * sizeof(uint64_t));
  const Transform transform{
      dst, n, {limb.inverseRoots, limb.inverseRootQuotients}, VectorPrime(limb.prime)};
  const size_t region = n < cachedWords ? n : cachedWords;
  const size_t longest = n / 2 < region ? n / 2 : region;
  for (size_t begin = 0; begin < n; begin += region)
    transform.inverseWithin(begin, begin + region, longest);
  transform.inverseFrom(2 * longest, 0, n, n / 2);
  inverseLastStage(limb, transform);
}

} // namespace

void addNtt(KernelTable &table) {
  table.ntt = ntt;
  table.intt = intt;
}

} // namespace sluice::kernels::SLUICE_AVX512_ROW
