//===- section_fuzz.cpp - the frame of every binary file -------------------------------------===//
#include "runtime/wire/section.h"
#include "test/fuzz/object_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace sluice;
  constexpr std::string_view tags[] = {"header", "seed",     "data",    "seeds",    "keys",
                                       "secret", "manifest", "program", "constant", "code"};
  // The first byte chooses the kind that is asked for.
  if (size == 0)
    return 0;
  auto kind = static_cast<wire::FileKind>(data[0] % 6 + 1);
  std::vector<uint8_t> file =
      fuzz::makeFile(kind, wire::secretKeySections, 0, {data + 1, size - 1});
  auto reader = wire::SectionReader::open(wire::Source::fromMemory(file, "fuzz"), kind, tags);
  if (!reader)
    return 0;
  for (std::string_view tag : tags) {
    if (!reader->hasSection(tag))
      continue;
    wire::Section section = *reader->section(tag);
    fuzz::require(section.offset % 64 == 0 && section.offset + section.size + 32 <= file.size());
    fuzz::require(reader->readSection(tag, file.size())->size() == section.size);
    std::vector<uint8_t> beyond(section.size + 1);
    fuzz::require(!reader->read(section, 0, beyond).isOk());
  }
  return 0;
}
