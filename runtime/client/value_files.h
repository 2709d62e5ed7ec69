//===- value_files.h - a program's values as .npy or .csv ------------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_VALUE_FILES_H
#define SLUICE_RUNTIME_CLIENT_VALUE_FILES_H

#include "runtime/abi/manifest.h"
#include "runtime/base/status.h"
#include "runtime/client/tensor.h"

#include <string>

namespace sluice::client {

/// Reads values for an input from a file, by its extension. A line of a .csv is one item, its
/// elements in row-major order; a .npy has the shape that the input wants. Whether the shape fits
/// is checked at encryption.
Expected<Tensor> readValues(const std::string &path, const ManifestTensor &tensor);

/// Writes values by the extension; a .csv gets one line for each item. invalidArgument: complex
/// values for a .csv.
Status writeValues(const std::string &path, const Tensor &values);

/// invalidArgument unless the path ends in .npy or .csv.
Status checkExtension(const std::string &path);

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_VALUE_FILES_H
