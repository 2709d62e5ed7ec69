//===- poly.h - views of residue polynomials --------------------------------------------------===//
#ifndef SLUICE_RUNTIME_RING_POLY_H
#define SLUICE_RUNTIME_RING_POLY_H

#include "runtime/base/arena.h"
#include "runtime/base/threads.h"
#include "runtime/ring/ring.h"

#include <span>

namespace sluice::ring {

/// A borrowed polynomial: limbCount limbs of `degree` words, one after the other. Which primes the
/// limbs belong to and the form (coeff or eval) are known by the holder.
template <typename Word> struct BasicPolyView {
  Word *data = nullptr;
  size_t limbCount = 0;
  size_t degree = 0;

  Word *limb(size_t i) const {
    assert(i < limbCount);
    return data + i * degree;
  }
  std::span<Word> limbSpan(size_t i) const { return {limb(i), degree}; }
  std::span<Word> span() const { return {data, limbCount * degree}; }
  /// `count` limbs from limb `first` on.
  BasicPolyView slice(size_t first, size_t count) const {
    assert(first + count <= limbCount);
    return {data + first * degree, count, degree};
  }
  operator BasicPolyView<const Word>() const { return {data, limbCount, degree}; }
};

using PolyView = BasicPolyView<uint64_t>;
using ConstPolyView = BasicPolyView<const uint64_t>;

/// An owned polynomial, zero at first. For public data: secrets live in WipedVector.
class Poly {
public:
  Poly() = default;
  Poly(size_t limbCount, size_t degree)
      : words(limbCount * degree), limbs(limbCount), degree(degree) {}

  PolyView view() { return {words.data(), limbs, degree}; }
  ConstPolyView view() const { return {words.data(), limbs, degree}; }
  uint64_t *limb(size_t i) { return view().limb(i); }
  const uint64_t *limb(size_t i) const { return view().limb(i); }
  size_t limbCount() const { return limbs; }

private:
  AlignedWords words;
  size_t limbs = 0;
  size_t degree = 0;
};

/// Coefficient form to evaluation form and back, in place; limb i of `poly` is limb limbs[i] of the
/// ring.
void toEvalInPlace(const Ring &ring, std::span<const uint16_t> limbs, PolyView poly,
                   ThreadPool &pool);
void toCoeffInPlace(const Ring &ring, std::span<const uint16_t> limbs, PolyView poly,
                    ThreadPool &pool);

} // namespace sluice::ring

#endif // SLUICE_RUNTIME_RING_POLY_H
