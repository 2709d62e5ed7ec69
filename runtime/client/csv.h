//===- csv.h - numbers in lines --------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_CSV_H
#define SLUICE_RUNTIME_CLIENT_CSV_H

#include "runtime/base/status.h"
#include "runtime/client/tensor.h"

#include <string>
#include <string_view>

namespace sluice::client {

/// Reads lines of numbers separated by commas: shape (lines, columns). A first line whose fields
/// all begin as names do is taken for column names; empty lines, lines that begin with '#' and a
/// byte order mark of UTF-8 are passed over. The text is untrusted; `name` stands for it in
/// messages, which never show a field.
Expected<Tensor> readCsv(std::string_view text, const std::string &name);

/// One line for each index of the first dimension, 17 significant digits; one line for a scalar.
std::string writeCsv(const Tensor &tensor);

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_CSV_H
