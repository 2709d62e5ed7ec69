//===- npy.h - NumPy's array files -----------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_NPY_H
#define SLUICE_RUNTIME_CLIENT_NPY_H

#include "runtime/base/status.h"
#include "runtime/client/tensor.h"

#include <span>
#include <string>
#include <vector>

namespace sluice::client {

/// Reads a .npy file (versions 1 to 3) of complex128, complex64, float64, float32, integers or
/// bool, in either byte order and in C or Fortran order, of at most 8 dimensions. The file is
/// untrusted; `name` stands for it in messages.
Expected<Tensor> readNpy(std::span<const uint8_t> bytes, const std::string &name);

/// The bytes of a version 1.0 file of little-endian doubles, pairs of them for complex values.
std::vector<uint8_t> writeNpy(const Tensor &tensor);

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_NPY_H
