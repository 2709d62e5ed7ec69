//===- Twin.h - the same function in the clear ------------------------------------------------===//
//
// Interprets a module of any stage from traced to settled on numbers, so that every stage can be
// compared with the clear function and, with noise, tell what an encrypted run will give.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_DRIVER_TWIN_H
#define SLUICE_PASSES_DRIVER_TWIN_H

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sluice {

/// Items of several tensors: entry i holds the items of tensor i one after the other, row-major; of
/// complex elements (`ckks.complex`) the real part, then the imaginary one.
using TensorItems = std::vector<std::vector<double>>;

/// Runs the public function of `module` on `inputs` and gives its outputs, with as many items each.
/// Before the packed stage each item is run by itself; later all are packed by the layouts of
/// arguments and results. With `noiseSeed` errors of encryption, rounding and key switching are
/// drawn from the noise model (settled stage only), with the integers that `ckks.mod_raise` leaves.
/// Outputs are real parts, as a client decrypts them, unless they are complex. Emits an error, and
/// fails, when the stage has no values on slots, when the items do not fit the shapes or the batch,
/// or when an operation has no meaning in the clear.
mlir::FailureOr<TensorItems> simulate(mlir::ModuleOp module, const TensorItems &inputs,
                                      std::optional<uint64_t> noiseSeed = std::nullopt);

/// Whether on `inputs` (as for simulate) every slot of every operation that carries a `ckks.range`
/// is real and stays inside it, up to 2^-20 of its width: evaluate-polynomials leaves there the
/// interval on which a polynomial approximates something. Packed to settled stage.
mlir::FailureOr<bool> respectsRanges(mlir::ModuleOp module, const TensorItems &inputs);

/// simulate without noise, which emits an error and fails at the first value that would wrap
/// around: that times its scale is more than half of the modulus of its level. Settled stage.
mlir::FailureOr<TensorItems> simulateWithRoom(mlir::ModuleOp module, const TensorItems &inputs);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_TWIN_H
