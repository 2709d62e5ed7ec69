//===- npy.h - NumPy's array files -----------------------------------------------------------===//
#ifndef SLUICE_TOOLS_SLUICE_CLIENT_NPY_H
#define SLUICE_TOOLS_SLUICE_CLIENT_NPY_H

#include "runtime/base/status.h"
#include "runtime/client/tensor.h"

#include <span>
#include <string>
#include <vector>

namespace sluice::tools {

/// Reads a .npy file (versions 1 to 3) of little-endian doubles or floats in C order, of at most 8
/// dimensions. The file is untrusted; `name` stands for it in messages.
Expected<client::Tensor> readNpy(std::span<const uint8_t> bytes, const std::string &name);

/// The bytes of a version 1.0 file of little-endian doubles.
std::vector<uint8_t> writeNpy(const client::Tensor &tensor);

} // namespace sluice::tools

#endif // SLUICE_TOOLS_SLUICE_CLIENT_NPY_H
