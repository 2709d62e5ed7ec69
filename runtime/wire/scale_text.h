//===- scale_text.h - exact scales as manifests write them -----------------------------------===//
#ifndef SLUICE_RUNTIME_WIRE_SCALE_TEXT_H
#define SLUICE_RUNTIME_WIRE_SCALE_TEXT_H

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sluice::wire {

/// log2 of a monomial such as "2^90 * q3^-1" or "2^(45/2) * q3^(1/2)", q3 being limbs[3]; a term
/// without ^ has exponent 1. Error below 2^-44 for scales up to 2^1000. Nothing if the text is not
/// of this form, an exponent's denominator is no power of two, or a limb is not in the table.
std::optional<double> scaleTextLog2(std::string_view text, std::span<const uint64_t> limbs);

} // namespace sluice::wire

#endif // SLUICE_RUNTIME_WIRE_SCALE_TEXT_H
