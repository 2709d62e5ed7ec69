//===- value_files.cpp - a program's values as .npy or .csv ----------------------------------===//
#include "runtime/client/value_files.h"

#include "runtime/client/csv.h"
#include "runtime/client/npy.h"
#include "runtime/wire/stream.h"

namespace sluice::client {
namespace {

constexpr uint64_t maxFileBytes = uint64_t(1) << 30;

std::span<const uint8_t> bytesOf(const std::string &text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

/// Gives a table of lines the shape that the input wants, if it has the right number of values.
void adoptShape(Tensor &values, const ManifestTensor &tensor) {
  uint64_t elements = 1;
  for (uint64_t size : tensor.shape)
    elements *= size;
  if (tensor.batched && values.shape[1] == elements) {
    values.shape.resize(1);
    values.shape.insert(values.shape.end(), tensor.shape.begin(), tensor.shape.end());
  } else if (!tensor.batched && values.values.size() == elements) {
    values.shape = tensor.shape;
  }
}

} // namespace

Status checkExtension(const std::string &path) {
  if (path.ends_with(".npy") || path.ends_with(".csv"))
    return Status();
  return Status::error(StatusCode::invalidArgument,
                       "%s: values are read and written as .npy or .csv", path.c_str());
}

Expected<Tensor> readValues(const std::string &path, const ManifestTensor &tensor) {
  SLUICE_RETURN_IF_ERROR(checkExtension(path));
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Source> source, wire::Source::openFile(path));
  SLUICE_ASSIGN_OR_RETURN(std::vector<uint8_t> bytes,
                          wire::readAll(*source, maxFileBytes, "a file of values"));
  if (path.ends_with(".npy"))
    return readNpy(bytes, path);
  SLUICE_ASSIGN_OR_RETURN(
      Tensor values, readCsv({reinterpret_cast<const char *>(bytes.data()), bytes.size()}, path));
  adoptShape(values, tensor);
  return values;
}

Status writeValues(const std::string &path, const Tensor &values) {
  SLUICE_RETURN_IF_ERROR(checkExtension(path));
  if (values.isComplex && path.ends_with(".csv"))
    return Status::error(StatusCode::invalidArgument,
                         "%s: complex values are written as .npy, not as .csv", path.c_str());
  // Decrypted values are nobody else's business.
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Sink> sink, wire::Sink::createFile(path, 0600));
  if (path.ends_with(".npy"))
    SLUICE_RETURN_IF_ERROR(sink->write(writeNpy(values)));
  else
    SLUICE_RETURN_IF_ERROR(sink->write(bytesOf(writeCsv(values))));
  return sink->commit();
}

} // namespace sluice::client
