//===- ciphertext.cpp - ciphertexts as bytes -------------------------------------------------===//
#include "runtime/wire/ciphertext.h"

#include "runtime/ring/uniform.h"
#include "runtime/wire/header_json.h"

namespace sluice::wire {
namespace {

const char *directionName(Direction direction) {
  return direction == Direction::input ? "input" : "output";
}

/// What the header says beside the fields of Ciphertext.
struct Layout {
  uint64_t polynomials = 2;
  bool isSeeded = false;
};

/// Direction, index and name.
Status readTarget(const JsonValue &header, const Manifest &manifest, Ciphertext &ciphertext) {
  SLUICE_ASSIGN_OR_RETURN(JsonValue direction, header.field("direction"));
  SLUICE_ASSIGN_OR_RETURN(std::string text, direction.asText(16));
  if (text != "input" && text != "output")
    return direction.error("'%s' is neither 'input' nor 'output'", text.c_str());
  ciphertext.direction = text == "input" ? Direction::input : Direction::output;
  const auto &tensors = text == "input" ? manifest.inputs : manifest.outputs;
  SLUICE_ASSIGN_OR_RETURN(uint64_t index, header.integer("index", 0, tensors.size() - 1));
  ciphertext.index = static_cast<uint32_t>(index);
  SLUICE_ASSIGN_OR_RETURN(JsonValue name, header.field("name"));
  SLUICE_ASSIGN_OR_RETURN(std::string found, name.asText(limits::nameBytes));
  if (found != tensors[index].name)
    return name.error("is '%s', but %s %zu of the program is '%s'", found.c_str(), text.c_str(),
                      static_cast<size_t>(index), tensors[index].name.c_str());
  return Status();
}

Expected<Layout> readLayout(const JsonValue &header, const Manifest &manifest,
                            Ciphertext &ciphertext) {
  const ManifestTensor &tensor = ciphertext.tensor(manifest);
  bool isOutput = ciphertext.direction == Direction::output;
  SLUICE_ASSIGN_OR_RETURN(uint64_t level, header.integer("level", 0, limits::levels - 1));
  if (level != tensor.level)
    return Status::error(StatusCode::mismatch, "%s: level %u, but %s '%s' is at level %u",
                         header.place().c_str(), static_cast<unsigned>(level),
                         directionName(ciphertext.direction), tensor.name.c_str(), tensor.level);
  SLUICE_RETURN_IF_ERROR(expectLimbs(header, "limbs", manifest, manifest.levels[tensor.level]));
  SLUICE_ASSIGN_OR_RETURN(ciphertext.items, header.integer("items", 1, tensor.batch));
  Layout layout;
  SLUICE_ASSIGN_OR_RETURN(layout.polynomials, header.integer("polynomials", 2, isOutput ? 3 : 2));
  SLUICE_ASSIGN_OR_RETURN(JsonValue seeded, header.field("seeded"));
  SLUICE_ASSIGN_OR_RETURN(layout.isSeeded, seeded.asBoolean());
  if (layout.isSeeded && layout.polynomials != 2)
    return seeded.error("only a ciphertext of two polynomials can be seeded");
  return layout;
}

Status readSeed(const SectionReader &reader, Ciphertext &ciphertext) {
  SLUICE_ASSIGN_OR_RETURN(Section section, reader.section("seed"));
  SLUICE_RETURN_IF_ERROR(expectSize(reader, section, ring::seedBytes));
  ciphertext.seed.emplace();
  return reader.read(section, 0, *ciphertext.seed);
}

/// The uniform expansion; the manifest's limbs were checked to be primes in range.
Status expandSecond(const Manifest &manifest, std::span<const uint16_t> limbs, ring::SeedView seed,
                    ring::PolyView out) {
  for (size_t i = 0; i < limbs.size(); ++i) {
    SLUICE_ASSIGN_OR_RETURN(ring::Modulus modulus, ring::Modulus::create(manifest.limbs[limbs[i]]));
    ring::expandUniformLimb(seed, 0, limbs[i], modulus, out.limbSpan(i));
  }
  return Status();
}

Status readPolynomials(const SectionReader &reader, const Manifest &manifest, Layout layout,
                       Ciphertext &ciphertext) {
  const std::vector<uint16_t> &limbs = manifest.levels[ciphertext.tensor(manifest).level];
  uint64_t bytesEach = limbs.size() * manifest.degree() * 8;
  uint64_t stored = layout.isSeeded ? 1 : layout.polynomials;
  SLUICE_ASSIGN_OR_RETURN(Section data, reader.section("data"));
  SLUICE_RETURN_IF_ERROR(expectSize(reader, data, stored * bytesEach));
  for (uint64_t p = 0; p < layout.polynomials; ++p) {
    ring::Poly &poly = ciphertext.polynomials.emplace_back(limbs.size(), manifest.degree());
    if (p < stored)
      SLUICE_RETURN_IF_ERROR(
          readResidues(reader, data, p * bytesEach, manifest, limbs, poly.view().span()));
  }
  if (!ciphertext.seed)
    return Status();
  return expandSecond(manifest, limbs, *ciphertext.seed, ciphertext.polynomials[1].view());
}

} // namespace

Expected<Ciphertext> readCiphertext(std::unique_ptr<Source> source, const Manifest &manifest) {
  SLUICE_ASSIGN_OR_RETURN(
      SectionReader reader,
      SectionReader::open(std::move(source), FileKind::ciphertext, ciphertextSections));
  SLUICE_ASSIGN_OR_RETURN(nlohmann::json document, readHeader(reader, objectHeaderBytes));
  JsonValue header(document, reader.name());
  Ciphertext ciphertext;
  SLUICE_ASSIGN_OR_RETURN(ciphertext.keyId, readBinding(header, manifest));
  SLUICE_RETURN_IF_ERROR(readTarget(header, manifest, ciphertext));
  SLUICE_ASSIGN_OR_RETURN(Layout layout, readLayout(header, manifest, ciphertext));
  if (layout.isSeeded)
    SLUICE_RETURN_IF_ERROR(readSeed(reader, ciphertext));
  else if (reader.hasSection("seed"))
    return header.error("section 'seed' does not belong into a ciphertext that is not seeded");
  SLUICE_RETURN_IF_ERROR(readPolynomials(reader, manifest, layout, ciphertext));
  return ciphertext;
}

Status writeCiphertext(const Ciphertext &ciphertext, const Manifest &manifest,
                       std::unique_ptr<Sink> sink) {
  const ManifestTensor &tensor = ciphertext.tensor(manifest);
  assert(ciphertext.polynomials.size() >= 2 && "not a ciphertext");
  nlohmann::ordered_json json = bindingJson(manifest, ciphertext.keyId);
  json["direction"] = directionName(ciphertext.direction);
  json["index"] = ciphertext.index;
  json["name"] = tensor.name;
  json["level"] = tensor.level;
  json["limbs"] = manifest.levels[tensor.level];
  json["polynomials"] = ciphertext.polynomials.size();
  json["items"] = ciphertext.items;
  json["seeded"] = ciphertext.seed.has_value();
  std::string header = toText(json);

  size_t stored = ciphertext.seed ? 1 : ciphertext.polynomials.size();
  uint64_t bytesEach = manifest.levels[tensor.level].size() * manifest.degree() * 8;
  std::vector<SectionSize> sizes{{"header", header.size()}};
  if (ciphertext.seed)
    sizes.push_back({"seed", ring::seedBytes});
  sizes.push_back({"data", stored * bytesEach});
  SLUICE_ASSIGN_OR_RETURN(SectionWriter writer,
                          SectionWriter::begin(std::move(sink), FileKind::ciphertext, sizes));
  SLUICE_RETURN_IF_ERROR(writer.append(bytesOf(header)));
  if (ciphertext.seed)
    SLUICE_RETURN_IF_ERROR(writer.append(*ciphertext.seed));
  for (size_t p = 0; p < stored; ++p)
    SLUICE_RETURN_IF_ERROR(writer.appendWords(ciphertext.polynomials[p].view().span()));
  return writer.finish();
}

} // namespace sluice::wire
