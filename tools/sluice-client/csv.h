//===- csv.h - numbers in lines --------------------------------------------------------------===//
#ifndef SLUICE_TOOLS_SLUICE_CLIENT_CSV_H
#define SLUICE_TOOLS_SLUICE_CLIENT_CSV_H

#include "runtime/base/status.h"
#include "runtime/client/tensor.h"

#include <string>
#include <string_view>

namespace sluice::tools {

/// Reads lines of numbers separated by commas: shape (lines, columns). A first line without any
/// number is taken for column names. The text is untrusted; `name` stands for it in messages.
Expected<client::Tensor> readCsv(std::string_view text, const std::string &name);

/// One line for each index of the first dimension, 17 significant digits; one line for a scalar.
std::string writeCsv(const client::Tensor &tensor);

} // namespace sluice::tools

#endif // SLUICE_TOOLS_SLUICE_CLIENT_CSV_H
