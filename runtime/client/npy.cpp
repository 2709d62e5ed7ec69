//===- npy.cpp - NumPy's array files ---------------------------------------------------------===//
#include "runtime/client/npy.h"

#include "runtime/base/bytes.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace sluice::client {
namespace {

constexpr uint8_t magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
constexpr size_t maxHeaderBytes = 64 * 1024, maxRank = 8;

/// What a header says: the kind and the size of a value as NumPy writes them ('f', 8), its bytes'
/// order, and the order of the values.
struct Layout {
  char kind = 0; // b: bool, i: integer, u: without sign, f: floating point, c: two of these
  size_t valueBytes = 0;
  bool isBigEndian = false;
  bool isFortran = false; // the first index runs fastest
  std::vector<uint64_t> shape;
};

/// A value of the layout that is not complex, or a part of one that is, from its bytes.
double valueOf(const Layout &layout, std::span<const uint8_t> bytes) {
  uint64_t pattern = 0;
  for (size_t k = 0; k < bytes.size(); ++k)
    pattern = pattern << 8 | bytes[layout.isBigEndian ? k : bytes.size() - 1 - k];
  if (layout.kind == 'f' || layout.kind == 'c')
    return bytes.size() == 8 ? std::bit_cast<double>(pattern)
                             : std::bit_cast<float>(static_cast<uint32_t>(pattern));
  unsigned unused = static_cast<unsigned>(64 - 8 * bytes.size());
  if (layout.kind == 'i') // the shifts copy the sign bit
    return static_cast<double>(static_cast<int64_t>(pattern << unused) >> unused);
  return layout.kind == 'b' ? (pattern != 0 ? 1 : 0) : static_cast<double>(pattern);
}

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
    layout.isFortran = take("True");
    return layout.isFortran || take("False") ? Status()
                                             : error("'fortran_order' must be True or False");
  }

  Status readDescription() {
    constexpr std::string_view known[] = {"b1", "i1", "i2", "i4", "i8", "u1", "u2",
                                          "u4", "u8", "f4", "f8", "c8", "c16"};
    std::string description;
    if (!text.starts_with("[")) { // a list describes records
      SLUICE_ASSIGN_OR_RETURN(description, quoted());
    }
    size_t orderMark = description.find_first_of("<>|=") == 0 ? 1 : 0;
    if (std::ranges::find(known, std::string_view(description).substr(orderMark)) ==
        std::end(known))
      return error("its values are neither complex, float64, float32, integers nor bool; save "
                   "x.astype('float64')");
    layout.isBigEndian = description[0] == '>';
    layout.kind = description[orderMark];
    layout.valueBytes = std::stoul(description.substr(orderMark + 1)); // one of the known
    return Status();
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
                         name.c_str(), bytes, shapeText(layout.shape).c_str(), layout.valueBytes);
  const size_t most = maxFileValues / (layout.kind == 'c' ? 2 : 1);
  if (count > most)
    return Status::error(StatusCode::corruptFile, "%s: %llu values; a file may have %zu",
                         name.c_str(), static_cast<unsigned long long>(count), most);
  return static_cast<size_t>(count);
}

/// Where the values stand in the file, one after the other in the order of a Tensor.
class Places {
public:
  explicit Places(const Layout &layout) : layout(layout), index(layout.shape.size()) {
    size_t rank = layout.shape.size();
    strides.assign(rank, 1);
    for (size_t k = 1; k < rank; ++k) { // from the index that runs fastest
      size_t axis = layout.isFortran ? k : rank - 1 - k;
      size_t faster = layout.isFortran ? k - 1 : rank - k;
      strides[axis] = strides[faster] * layout.shape[faster];
    }
  }

  size_t next() {
    size_t place = 0;
    for (size_t axis = 0; axis < index.size(); ++axis)
      place += index[axis] * strides[axis];
    for (size_t axis = index.size(); axis-- > 0;) { // counts like an odometer
      if (++index[axis] < layout.shape[axis])
        break;
      index[axis] = 0;
    }
    return place;
  }

private:
  const Layout &layout;
  std::vector<uint64_t> index, strides;
};

} // namespace

Expected<Tensor> readNpy(std::span<const uint8_t> bytes, const std::string &name) {
  ByteReader reader(bytes);
  Expected<Layout> layout = readLayout(reader, name);
  if (!layout)
    return layout.message().starts_with(name) ? layout.status() : layout.status().withContext(name);
  SLUICE_ASSIGN_OR_RETURN(size_t count, countValues(*layout, reader.remaining(), name));
  SLUICE_ASSIGN_OR_RETURN(std::span<const uint8_t> data, reader.readBytes(reader.remaining()));
  const bool isComplex = layout->kind == 'c';
  const size_t parts = isComplex ? 2 : 1, partBytes = layout->valueBytes / parts;
  Tensor tensor{layout->shape, std::vector<double>(count * parts), isComplex};
  Places places(*layout);
  for (size_t element = 0; element < count; ++element) {
    const size_t place = places.next() * layout->valueBytes;
    for (size_t part = 0; part < parts; ++part)
      tensor.values[element * parts + part] =
          valueOf(*layout, data.subspan(place + part * partBytes, partBytes));
  }
  return tensor;
}

std::vector<uint8_t> writeNpy(const Tensor &tensor) {
  std::string header = std::string("{'descr': '") + (tensor.isComplex ? "<c16" : "<f8") +
                       "', 'fortran_order': False, 'shape': " + shapeText(tensor.shape) + ", }";
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

} // namespace sluice::client
