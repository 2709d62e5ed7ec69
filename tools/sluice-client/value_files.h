//===- value_files.h - a program's values as .npy or .csv ------------------------------------===//
#ifndef SLUICE_TOOLS_SLUICE_CLIENT_VALUE_FILES_H
#define SLUICE_TOOLS_SLUICE_CLIENT_VALUE_FILES_H

#include "runtime/abi/manifest.h"
#include "runtime/base/status.h"
#include "runtime/client/tensor.h"

#include <string>

namespace sluice::tools {

/// Reads values for an input from a file, by its extension. A line of a .csv is one item, its
/// elements in row-major order; a .npy has the shape that the input wants. Whether the shape fits
/// is checked at encryption.
Expected<client::Tensor> readValues(const std::string &path, const ManifestTensor &tensor);

/// Writes values by the extension; a .csv gets one line for each item.
Status writeValues(const std::string &path, const client::Tensor &values);

/// invalidArgument unless the path ends in .npy or .csv.
Status checkExtension(const std::string &path);

} // namespace sluice::tools

#endif // SLUICE_TOOLS_SLUICE_CLIENT_VALUE_FILES_H
