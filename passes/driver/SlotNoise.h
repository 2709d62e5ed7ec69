//===- SlotNoise.h - errors of an encrypted run, drawn from the noise model -------------------===//
#ifndef SLUICE_PASSES_DRIVER_SLOTNOISE_H
#define SLUICE_PASSES_DRIVER_SLOTNOISE_H

#include "dialects/CKKS/CKKSOps.h"
#include "passes/algorithms/NoiseModel.h"

#include "mlir/IR/BuiltinOps.h"

#include <complex>
#include <map>
#include <random>
#include <vector>

namespace sluice {

/// Adds to the results of settled operations the errors that encryption, rounding and key switching
/// make, and to those of ModRaise the integers that EvalMod takes away (algorithms/NoiseModel.h).
/// In each slot the part of an error that the secret multiplies has its own size, the same in all
/// operations, since it is the secret's value there; a sparsely packed slot is the mean of N / 2n
/// places, and has the mean of their sizes. T is double where slots are real and only that part of
/// an error counts, or std::complex<double>.
class SlotNoise {
public:
  /// Under the module's ckks.params; an error when it has none.
  static mlir::FailureOr<SlotNoise> create(mlir::ModuleOp module, uint64_t seed);

  /// Encryption at the argument's scale.
  template <typename T> void addEncryption(mlir::Value argument, std::vector<T> &slots);
  /// The errors of `op` on its first operand's value; nothing for operations that make none.
  template <typename T>
  void addTo(mlir::Operation *op, const std::vector<T> &operand, std::vector<T> &slots);

private:
  SlotNoise(ckks::ParamsAttr params, uint64_t seed) : params(params), random(seed) {}

  /// |s(zeta)|^2 of each of the `length` slots of a ciphertext of that type, a mean where packing
  /// is sparse; drawn once.
  const std::vector<double> &secretSquares(ckks::CtType type, size_t length);

  /// Of rounding the plaintext's coefficients: as many as there are different numbers in it.
  template <typename T>
  void addEncoding(ckks::MulPlainOp product, const std::vector<T> &operand, std::vector<T> &slots);
  /// The multiples of Q that ModRaise leaves at all coefficients, as nearly normal as sums of the
  /// secret's weight are. Of complex slots; others cannot be taken apart into coefficients again.
  template <typename T> void addIntegers(ckks::CtType type, std::vector<T> &slots);

  /// 1 / scale of a settled ciphertext or plaintext.
  double inverse(const ckks::Scale &scale) const;
  /// Of the switch to the ephemeral secret: a digit for each limb of level 0.
  algorithms::NoiseParameters toEphemeral() const;
  /// Adds a Gaussian with variance `plain` + `timesSecret` * |s|^2 per coefficient, divided by the
  /// scale, to the slots of a ciphertext of that type.
  template <typename T>
  void add(ckks::CtType type, std::vector<T> &slots, double plain, double timesSecret,
           double inverseScale);

  ckks::ParamsAttr params;
  std::map<std::pair<ckks::Secret, int64_t>, std::vector<double>> squares; ///< by secret and slots
  std::mt19937_64 random;
};

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_SLOTNOISE_H
