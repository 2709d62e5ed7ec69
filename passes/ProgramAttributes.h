//===- ProgramAttributes.h - facts about the whole program that travel with the module --------===//
//
// From phase rns on, ciphertexts are polynomials and the ckks types are gone; what the manifest
// must say of inputs, outputs and keys stands in these attributes of the module. ckks-to-rns writes
// all but `sluice.program`, which rns-to-runtime adds; driver/ManifestBuilder reads them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_PROGRAMATTRIBUTES_H
#define SLUICE_PASSES_PROGRAMATTRIBUTES_H

#include "dialects/CKKS/CKKSOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sluice {

/// String: the name of the public function.
inline constexpr llvm::StringLiteral programNameAttr = "sluice.name";
/// Array of {name, type: the settled !ckks.ct, polynomials, layout: #ckks.layout, complex, range},
/// one a ciphertext: the next `polynomials` arguments (results) of the function.
inline constexpr llvm::StringLiteral inputsAttr = "sluice.inputs";
inline constexpr llvm::StringLiteral outputsAttr = "sluice.outputs";
/// Array of evaluation keys, see EvaluationKey.
inline constexpr llvm::StringLiteral keysAttr = "sluice.keys";
/// Integers for the forecast: products of ciphertexts, and inner products with an evaluation key.
inline constexpr llvm::StringLiteral ciphertextProductsAttr = "sluice.ciphertext_products";
inline constexpr llvm::StringLiteral keySwitchesAttr = "sluice.key_switches";
/// Doubles for the forecast, from driver/Forecast: bits of precision, milliseconds of one run.
inline constexpr llvm::StringLiteral precisionBitsAttr = "sluice.precision_bits";
inline constexpr llvm::StringLiteral timeMsAttr = "sluice.time_ms";
/// For the certificate. Doubles, one an output, in units of values: the deviation of the error of a
/// number, at the inputs where it is largest if decryptions are to be shared.
inline constexpr llvm::StringLiteral outputDeviationsAttr = "sluice.output_deviations";
/// Double: log2 of the probability that a bootstrap of one run fails, from expand-bootstraps.
inline constexpr llvm::StringLiteral log2FailureAttr = "sluice.log2_failure";
/// Integer and double, as the user asks: decryptions that may be shared, and the statistical bits
/// that this promises.
inline constexpr llvm::StringLiteral decryptionsAttr = "sluice.decryptions";
inline constexpr llvm::StringLiteral statisticalBitsAttr = "sluice.statistical_bits";
/// {arena_slots, inputs, outputs, constants}: the section `program` of the artifact, see
/// RNSToRuntime.cpp.
inline constexpr llvm::StringLiteral programAttr = "sluice.program";

/// One evaluation key: {kind = "galois", element = 25, permuted}, or another kind of rns.key, with
/// its rows `limbs` (P or the ephemeral secret's modulus first, then the union of the limb sets
/// that it serves in the chain's fixed order) and the `digits` that partition that union.
struct EvaluationKey {
  llvm::StringRef kind;
  int64_t element = 0;
  bool permuted = false; // galois only: switches from s to sigma_element^-1(s)
  std::vector<int64_t> limbs;
  std::vector<std::vector<int64_t>> digits;

  mlir::DictionaryAttr toAttribute(mlir::MLIRContext *context) const;
  /// Nothing when `attribute` is not of the form above.
  static std::optional<EvaluationKey> fromAttribute(mlir::Attribute attribute);
};

/// Moves what the manifest says of the function to its module, before its types change.
void recordSignature(mlir::func::FuncOp function, ckks::ParamsAttr params);

/// The keys of keysAttr on `module`, in order. Reports an error when the attribute is missing or
/// ill-formed.
mlir::FailureOr<std::vector<EvaluationKey>> readEvaluationKeys(mlir::ModuleOp module);

} // namespace sluice

#endif // SLUICE_PASSES_PROGRAMATTRIBUTES_H
