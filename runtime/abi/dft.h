//===- dft.h - the matrices of a bootstrap's transforms, in a few numbers ---------------------===//
//
// A program holds these instead of the diagonals, which runtime/ring/dft_factors.h computes.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_ABI_DFT_H
#define SLUICE_RUNTIME_ABI_DFT_H

#include <cstdint>

namespace sluice {

/// Which way a group of factors goes.
enum class DftDirection : uint8_t {
  coefficientsToSlots, // of a bootstrap: V_last^H ... V_first^H, slots become coefficients
  slotsToCoefficients, // V_first ... V_last, coefficients become slots
};

inline constexpr DftDirection dftDirections[] = {DftDirection::coefficientsToSlots,
                                                 DftDirection::slotsToCoefficients};

/// As files write it.
constexpr const char *dftDirectionName(DftDirection direction) {
  return direction == DftDirection::coefficientsToSlots ? "coefficients_to_slots"
                                                        : "slots_to_coefficients";
}

/// A group of factors: V_first ... V_(first + count - 1), 1 <= first, first + count - 1 <= log2 n.
struct DftGroup {
  DftDirection direction = DftDirection::coefficientsToSlots;
  uint32_t logSlots = 0; // log2 n, 1 to 16
  uint32_t first = 1, count = 1;

  bool operator==(const DftGroup &) const = default;
};

/// What becomes of a matrix M of n columns. A bootstrap of fewer slots than the ring has makes both
/// halves of the coefficients one vector of 2n slots (docs/mathematics.md section 9).
enum class DftForm : uint8_t {
  plain,         // M
  ontoFirstHalf, // takes (x, x) to (M x, 0)
  fromHalves,    // takes (x, y) to (M (x + i y), M (x + i y))
};

inline constexpr DftForm dftForms[] = {DftForm::plain, DftForm::ontoFirstHalf, DftForm::fromHalves};

/// As files write it.
constexpr const char *dftFormName(DftForm form) {
  switch (form) {
  case DftForm::plain:
    return "plain";
  case DftForm::ontoFirstHalf:
    return "onto_first_half";
  case DftForm::fromHalves:
    break;
  }
  return "from_halves";
}

/// The matrix of a group, times a factor, in one of the forms.
struct DftMatrix {
  DftGroup group;
  double factor = 1;
  DftForm form = DftForm::plain;
  bool halvesColumnZero = false; // column 0 is multiplied by 1/2, in the end

  /// Rows: n or 2n.
  uint64_t size() const { return uint64_t{1} << (group.logSlots + (form != DftForm::plain)); }

  bool operator==(const DftMatrix &) const = default;
};

/// One diagonal, rotated: value r is M[s][(s + index) mod size] with s = (r + rotation) mod size.
struct DftDiagonal {
  DftMatrix matrix;
  uint64_t index = 0, rotation = 0; // below the matrix's size

  bool operator==(const DftDiagonal &) const = default;
};

} // namespace sluice

#endif // SLUICE_RUNTIME_ABI_DFT_H
