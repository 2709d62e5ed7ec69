//===- encoder.h - tensors to slots and back -------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_ENCODER_H
#define SLUICE_RUNTIME_CLIENT_ENCODER_H

#include "runtime/abi/manifest.h"
#include "runtime/base/status.h"
#include "runtime/client/tensor.h"

#include <complex>
#include <span>
#include <vector>

namespace sluice::client {

/// Slots of one ciphertext, packed as docs/formats.md says.
using Slots = std::vector<std::complex<double>>;

/// The number of batch items in `values`, whose shape is the tensor's (one item) or, if the tensor
/// is batched, (items, …) with at most `batch` items. invalidArgument: it is neither.
Expected<uint64_t> countItems(const ManifestTensor &tensor, const Tensor &values);

/// Packs an input into `slots` slots. Checks shape, number of items, that values are complex only
/// where the input's are, and that every value (of a complex one: each part) is a finite number in
/// the declared range; a message names the item and the element, never the value.
Expected<Slots> packInput(const ManifestTensor &tensor, uint64_t slots, const Tensor &values);

/// The first `items` batch items of an unpacked tensor, their real parts unless it is complex;
/// shape (items, …) if it is batched.
Tensor unpack(const ManifestTensor &tensor, std::span<const std::complex<double>> slots,
              uint64_t items);

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_ENCODER_H
