//===- encoder.cpp - tensors to slots and back -----------------------------------------------===//
#include "runtime/client/encoder.h"

#include <bit>
#include <cmath>

namespace sluice::client {
namespace {

uint64_t elementCount(const std::vector<uint64_t> &shape) {
  uint64_t count = 1;
  for (uint64_t size : shape)
    count *= size;
  return count;
}

/// Lane of each element in row-major order: the flat index after padding each dimension to a power
/// of two.
std::vector<uint64_t> elementLanes(const std::vector<uint64_t> &shape) {
  std::vector<uint64_t> lanes(elementCount(shape));
  for (uint64_t element = 0; element < lanes.size(); ++element) {
    uint64_t rest = element, stride = 1;
    for (size_t dimension = shape.size(); dimension-- > 0;) {
      lanes[element] += rest % shape[dimension] * stride;
      rest /= shape[dimension];
      stride *= std::bit_ceil(shape[dimension]);
    }
  }
  return lanes;
}

/// "[2, 5]": where an element stands in its item.
std::string indexText(const std::vector<uint64_t> &shape, uint64_t element) {
  std::vector<uint64_t> index(shape.size());
  for (size_t dimension = shape.size(); dimension-- > 0;) {
    index[dimension] = element % shape[dimension];
    element /= shape[dimension];
  }
  std::string text;
  for (uint64_t position : index)
    text += (text.empty() ? "" : ", ") + std::to_string(position);
  return "[" + text + "]";
}

Status checkValue(const ManifestTensor &tensor, double value, uint64_t item, uint64_t element) {
  if (value >= tensor.rangeLow && value <= tensor.rangeHigh)
    return Status();
  std::string place = "input '" + tensor.name + "'";
  if (tensor.batched)
    place += ", item " + std::to_string(item);
  if (!tensor.shape.empty())
    place += ", element " + indexText(tensor.shape, element);
  if (!std::isfinite(value))
    return Status::error(StatusCode::outOfRange, "%s: the value is %s; finite numbers are needed",
                         place.c_str(), std::isnan(value) ? "not a number (NaN)" : "infinite");
  return Status::error(StatusCode::outOfRange,
                       "%s: the value is outside of the declared range [%g, %g]; bring the data "
                       "into it, or compile with a wider range",
                       place.c_str(), tensor.rangeLow, tensor.rangeHigh);
}

std::complex<double> valueAt(const Tensor &tensor, size_t element) {
  return tensor.isComplex ? std::complex(tensor.values[2 * element], tensor.values[2 * element + 1])
                          : tensor.values[element];
}

} // namespace

std::string shapeText(const std::vector<uint64_t> &shape) {
  std::string text = "(";
  for (size_t dimension = 0; dimension < shape.size(); ++dimension)
    text += (dimension ? ", " : "") + std::to_string(shape[dimension]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

Expected<uint64_t> countItems(const ManifestTensor &tensor, const Tensor &values) {
  if (values.shape == tensor.shape)
    return uint64_t(1);
  std::vector<uint64_t> batched(1);
  batched.insert(batched.end(), tensor.shape.begin(), tensor.shape.end());
  if (tensor.batched && !values.shape.empty()) {
    batched[0] = values.shape[0];
    if (values.shape == batched && batched[0] >= 1) {
      if (batched[0] <= tensor.batch)
        return batched[0];
      return Status::error(StatusCode::invalidArgument,
                           "input '%s': %llu items, but one ciphertext holds at most %llu; "
                           "encrypt them in several",
                           tensor.name.c_str(), static_cast<unsigned long long>(batched[0]),
                           static_cast<unsigned long long>(tensor.batch));
    }
  }
  std::string wanted = shapeText(tensor.shape);
  if (tensor.batched) {
    std::string batch = "(B";
    for (uint64_t size : tensor.shape)
      batch += ", " + std::to_string(size);
    batch += tensor.shape.empty() ? ",)" : ")";
    wanted += " for one item, or " + batch + " for a batch of B <= " + std::to_string(tensor.batch);
  }
  return Status::error(StatusCode::invalidArgument, "input '%s': shape %s, but it must be %s",
                       tensor.name.c_str(), shapeText(values.shape).c_str(), wanted.c_str());
}

Expected<Slots> packInput(const ManifestTensor &tensor, uint64_t slots, const Tensor &values) {
  SLUICE_ASSIGN_OR_RETURN(uint64_t items, countItems(tensor, values));
  if (values.isComplex && !tensor.isComplex)
    return Status::error(StatusCode::invalidArgument,
                         "input '%s': the values are complex, but the program takes real ones",
                         tensor.name.c_str());
  std::vector<uint64_t> lanes = elementLanes(tensor.shape);
  assert(values.elementCount() == items * lanes.size() && "values do not match their shape");
  uint64_t stride = slots / tensor.lanes;
  Slots packed(slots);
  for (uint64_t item = 0; item < items; ++item) {
    for (uint64_t element = 0; element < lanes.size(); ++element) {
      std::complex<double> value = valueAt(values, item * lanes.size() + element);
      SLUICE_RETURN_IF_ERROR(checkValue(tensor, value.real(), item, element));
      if (values.isComplex)
        SLUICE_RETURN_IF_ERROR(checkValue(tensor, value.imag(), item, element));
      auto first = packed.begin() + static_cast<ptrdiff_t>(lanes[element] * stride + item);
      std::fill_n(first, tensor.batched ? 1 : stride, value);
    }
  }
  return packed;
}

Tensor unpack(const ManifestTensor &tensor, std::span<const std::complex<double>> slots,
              uint64_t items) {
  std::vector<uint64_t> lanes = elementLanes(tensor.shape);
  uint64_t stride = slots.size() / tensor.lanes;
  Tensor out;
  if (tensor.batched)
    out.shape.push_back(items);
  else
    items = 1;
  out.shape.insert(out.shape.end(), tensor.shape.begin(), tensor.shape.end());
  out.isComplex = tensor.isComplex;
  out.values.reserve(items * lanes.size() * (out.isComplex ? 2 : 1));
  for (uint64_t item = 0; item < items; ++item)
    for (uint64_t lane : lanes) {
      std::complex<double> slot = slots[lane * stride + item];
      out.values.push_back(slot.real());
      if (out.isComplex)
        out.values.push_back(slot.imag());
    }
  return out;
}

} // namespace sluice::client
