//===- npy.cpp - NumPy's array files ---------------------------------------------------------===//
#include "tools/sluice-client/npy.h"

#include "runtime/base/bytes.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace sluice::tools {
namespace {

constexpr uint8_t magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
constexpr size_t maxHeaderBytes = 64 * 1024, maxRank = 8;

/// What a header says.
struct Layout {
  size_t valueBytes = 0; // 8: double, 4: float
  std::vector<uint64_t> shape;
};

/// Reads the header, a Python dictionary such as
/// {'descr': '<f8', 'fortran_order': False, 'shape': (3, 30), }.
class HeaderParser {
public:
  HeaderParser(std::string_view text, const std::string &name) : text(text), name(name) {}

  Expected<Layout> parse() {
    if (!take("{"))
      return error("its header is no dictionary");
    while (!take("}")) {
      SLUICE_ASSIGN_OR_RETURN(std::string key, quoted());
      if (!take(":"))
        return error("its header lacks a ':' after '" + key + "'");
      SLUICE_RETURN_IF_ERROR(readField(key));
      if (!take(",") && !text.starts_with("}"))
        return error("its header lacks a ',' after '" + key + "'");
    }
    if (!text.empty())
      return error("its header goes on after the dictionary");
    if (!hasDescription || !hasOrder || !hasShape)
      return error("its header must have 'descr', 'fortran_order' and 'shape'");
    return layout;
  }

private:
  Status error(const std::string &what) const {
    return Status::error(StatusCode::corruptFile, "%s: %s", name.c_str(), what.c_str());
  }
  void skipSpace() { text.remove_prefix(std::min(text.find_first_not_of(" \n\t"), text.size())); }
  bool take(std::string_view token) {
    skipSpace();
    if (!text.starts_with(token))
      return false;
    text.remove_prefix(token.size());
    skipSpace();
    return true;
  }

  Expected<std::string> quoted() {
    skipSpace();
    if (text.empty() || (text[0] != '\'' && text[0] != '"'))
      return error("its header lacks a quoted text");
    size_t end = text.find(text[0], 1);
    if (end == std::string_view::npos)
      return error("its header has a text without an end");
    std::string out(text.substr(1, end - 1));
    text.remove_prefix(end + 1);
    return out;
  }

  Status readField(const std::string &key) {
    bool &isSeen = key == "descr" ? hasDescription : key == "shape" ? hasShape : hasOrder;
    if (key != "descr" && key != "shape" && key != "fortran_order")
      return error("its header has an unknown field");
    if (isSeen)
      return error("its header has '" + key + "' twice");
    isSeen = true;
    if (key == "descr")
      return readDescription();
    if (key == "shape")
      return readShape();
    if (take("True"))
      return error("it is in Fortran order; save numpy.ascontiguousarray(x)");
    return take("False") ? Status() : error("'fortran_order' must be True or False");
  }

  Status readDescription() {
    SLUICE_ASSIGN_OR_RETURN(std::string description, quoted());
    layout.valueBytes = description == "<f8" ? 8 : description == "<f4" ? 4 : 0;
    if (layout.valueBytes != 0)
      return Status();
    return error("its values are not little-endian doubles or floats ('<f8', '<f4'); save "
                 "x.astype('float64')");
  }

  Status readShape() {
    if (!take("("))
      return error("'shape' must be a tuple");
    while (!take(")")) {
      uint64_t size = 0;
      auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), size);
      if (failure != std::errc())
        return error("'shape' must hold integers");
      text.remove_prefix(static_cast<size_t>(end - text.data()));
      layout.shape.push_back(size);
      if (layout.shape.size() > maxRank)
        return error("it has more than 8 dimensions");
      skipSpace();
      if (!take(",") && !text.starts_with(")"))
        return error("'shape' lacks a ','");
    }
    return Status();
  }

  std::string_view text;
  const std::string &name;
  Layout layout;
  bool hasDescription = false, hasOrder = false, hasShape = false;
};

Expected<Layout> readLayout(ByteReader &reader, const std::string &name) {
  auto notNpy = [&] {
    return Status::error(StatusCode::corruptFile, "%s: this is not a .npy file", name.c_str());
  };
  Expected<std::span<const uint8_t>> start = reader.readBytes(sizeof magic + 2);
  if (!start || !std::equal(std::begin(magic), std::end(magic), start->begin()))
    return notNpy();
  uint8_t major = (*start)[6];
  if (major < 1 || major > 3)
    return Status::error(StatusCode::unsupportedVersion,
                         "%s: .npy version %u is not supported; 1 to 3 are", name.c_str(), major);
  uint64_t length = 0;
  if (major == 1) {
    SLUICE_ASSIGN_OR_RETURN(length, reader.readU16());
  } else {
    SLUICE_ASSIGN_OR_RETURN(length, reader.readU32());
  }
  if (length > maxHeaderBytes)
    return Status::error(StatusCode::corruptFile, "%s: its header has more than 64 KiB",
                         name.c_str());
  SLUICE_ASSIGN_OR_RETURN(std::span<const uint8_t> header, reader.readBytes(length));
  return HeaderParser({reinterpret_cast<const char *>(header.data()), header.size()}, name).parse();
}

/// The number of values; fails unless their bytes are exactly what is left.
Expected<size_t> countValues(const Layout &layout, size_t bytes, const std::string &name) {
  uint64_t count = 1;
  bool fits = true;
  for (uint64_t size : layout.shape)
    fits = fits && !__builtin_mul_overflow(count, size, &count);
  if (!fits || bytes % layout.valueBytes != 0 || count != bytes / layout.valueBytes)
    return Status::error(StatusCode::corruptFile,
                         "%s: %zu bytes of values do not fill the shape %s of %zu bytes a value",
                         name.c_str(), bytes, client::shapeText(layout.shape).c_str(),
                         layout.valueBytes);
  return static_cast<size_t>(count);
}

} // namespace

Expected<client::Tensor> readNpy(std::span<const uint8_t> bytes, const std::string &name) {
  ByteReader reader(bytes);
  Expected<Layout> layout = readLayout(reader, name);
  if (!layout)
    return layout.message().starts_with(name) ? layout.status() : layout.status().withContext(name);
  SLUICE_ASSIGN_OR_RETURN(size_t count, countValues(*layout, reader.remaining(), name));
  client::Tensor tensor{layout->shape, std::vector<double>(count)};
  for (double &value : tensor.values) {
    if (layout->valueBytes == 8) {
      SLUICE_ASSIGN_OR_RETURN(value, reader.readF64());
    } else {
      SLUICE_ASSIGN_OR_RETURN(uint32_t pattern, reader.readU32());
      value = std::bit_cast<float>(pattern);
    }
  }
  return tensor;
}

std::vector<uint8_t> writeNpy(const client::Tensor &tensor) {
  std::string header =
      "{'descr': '<f8', 'fortran_order': False, 'shape': " + client::shapeText(tensor.shape) +
      ", }";
  // Values begin at a multiple of 64 bytes; the header ends with a line feed.
  size_t start = sizeof magic + 4;
  header.append(63 - (start + header.size()) % 64, ' ');
  header.push_back('\n');
  ByteWriter writer;
  writer.writeBytes(magic);
  writer.writeU8(1);
  writer.writeU8(0);
  writer.writeU16(static_cast<uint16_t>(header.size()));
  writer.writeText(header, header.size());
  for (double value : tensor.values)
    writer.writeF64(value);
  return std::move(writer).take();
}

} // namespace sluice::tools
