//===- base_conversion.h - the constants of one base conversion -------------------------------===//
#ifndef SLUICE_RUNTIME_RING_BASE_CONVERSION_H
#define SLUICE_RUNTIME_RING_BASE_CONVERSION_H

#include "runtime/base/arena.h"
#include "runtime/kernels/kernels.h"
#include "runtime/ring/basis.h"

#include <vector>

namespace sluice::ring {

/// Owner of the kernels::ConvertTables for x mod D, D the product of the source basis, to x centred
/// modulo each destination limb (docs/mathematics.md 2.1 with z). Independent of the bases
/// afterwards, but not of their ring. Move-only; tables() keeps its pointers.
class BaseConversion {
public:
  /// 1 <= source.size() <= kernels::maxConvertSources. Bases may share limbs (the result there is x
  /// itself, at a price).
  BaseConversion(const Basis &source, const Basis &destination);

  const kernels::ConvertTables &tables() const { return convertTables; }

private:
  AlignedWords factors; // destination-major
  std::vector<kernels::ConvertSource> sources;
  std::vector<kernels::ConvertDestination> destinations;
  kernels::ConvertTables convertTables;
};

} // namespace sluice::ring

#endif // SLUICE_RUNTIME_RING_BASE_CONVERSION_H
