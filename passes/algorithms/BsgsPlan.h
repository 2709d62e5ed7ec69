//===- BsgsPlan.h - baby steps and giant steps of a matrix-vector product ---------------------===//
//
// A matrix is a sum over its non-zero diagonals, diag_k (.) rot_k(v). Writing k = giant + baby
// shares the rotations:
//
//     M v = sum_giant rot_giant( sum_baby rot_{-giant}(diag_{giant + baby}) (.) rot_baby(v) ).
//
// The indices are taken as an arithmetic progression with stride t around 0: k = offset + t * u, u
// = babySteps * j + i with i in a range of babySteps numbers; baby = offset + t * i, giant = t *
// babySteps * j. Source: docs/mathematics.md section 4.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_BSGSPLAN_H
#define SLUICE_PASSES_ALGORITHMS_BSGSPLAN_H

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::algorithms {

/// What a rotation costs: the ring degree 2^logN, the limbs of the ciphertext's level, the limbs of
/// P and the number of digits of the key switch at that level (all at least 1); and what a
/// butterfly costs, in modular multiplications (docs/mathematics.md section 3 counts 2).
struct KeySwitchShape {
  unsigned logN = 15;
  unsigned limbs = 10;
  unsigned specialLimbs = 3;
  unsigned digits = 4;
  double butterfly = 2;
};

/// Modular multiplications of the parts of a key switch (docs/mathematics.md section 3).
double decomposeCost(
    const KeySwitchShape &shape); ///< NTT in and digits; once for all rotations of one ciphertext
double innerProductCost(const KeySwitchShape &shape);
double modDownCost(const KeySwitchShape &shape); ///< of two polynomials

/// One diagonal of the plan: position in the given index list, and the baby rotation that it
/// multiplies.
struct BsgsTerm {
  unsigned diagonal;
  unsigned baby; ///< position in BsgsPlan::babies
};

/// The inner sum of one giant rotation.
struct BsgsGiant {
  int64_t rotation; ///< in (-size/2, size/2]
  std::vector<BsgsTerm> terms;
};

struct BsgsPlan {
  int64_t stride = 1;
  int64_t babySteps = 1;
  std::vector<int64_t> babies; ///< distinct rotations in (-size/2, size/2]; 0 costs nothing
  std::vector<BsgsGiant> giants;
  /// Forecast in modular multiplications: key switches of the rotations only, since the products
  /// with diagonals are the same in every plan.
  double cost = 0;

  /// Rotations that need a key switch, and the distinct ones among them (each is one evaluation
  /// key).
  unsigned rotations() const;
  unsigned keys() const;
};

/// The plan with `babySteps` (>= 1) baby steps for diagonals `indices`: non-empty, distinct modulo
/// `size`, taken modulo `size` (>= 1). Every diagonal appears in exactly one term, at the index
/// baby + giant modulo size.
BsgsPlan planBsgs(std::span<const int64_t> indices, int64_t size, int64_t babySteps,
                  const KeySwitchShape &shape);

/// The plan with the fewest keys among those that cost at most `keyTolerance` (>= 0) more than the
/// cheapest, as a part of its cost, over all numbers of baby steps; the cheaper, then fewer giant
/// steps among equals. The cost is that of sums divided once (row "2-hoist" of
/// docs/mathematics.md 4.1): one decomposition for all babies and one for each giant, which also
/// divides one polynomial by P; one division of two polynomials at the end.
BsgsPlan planBsgs(std::span<const int64_t> indices, int64_t size, const KeySwitchShape &shape,
                  double keyTolerance = 0);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_BSGSPLAN_H
