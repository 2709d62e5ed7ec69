//===- shared_object_check.cpp - is this ELF file what we load? -----------------------------===//
#include "runtime/exec/shared_object.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <elf.h>
#include <optional>
#include <string_view>
#include <vector>

namespace sluice::exec {
namespace {

/// Checked access to an ELF file: by offset, and by address through the loaded segments.
class ElfFile {
public:
  ElfFile(std::span<const uint8_t> bytes, const std::string &name) : bytes(bytes), name(name) {}

  Status check();

private:
  [[gnu::format(printf, 2, 3)]] Status error(const char *format, ...) const;
  template <typename T> std::optional<T> at(uint64_t offset) const;
  std::optional<uint64_t> offsetOf(uint64_t address) const;
  std::string textAt(uint64_t address) const;

  Status readHeader();
  Status readSegments();
  Status readDynamic(const Elf64_Phdr &segment);
  Status checkRelocations(uint64_t address, uint64_t sizeBytes) const;
  Status checkRelocation(const Elf64_Rela &relocation) const;

  std::span<const uint8_t> bytes;
  const std::string &name;
  Elf64_Ehdr header{};
  std::vector<Elf64_Phdr> loaded;
  uint64_t symbols = 0, strings = 0; // addresses
};

Status ElfFile::error(const char *format, ...) const {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return Status::error(StatusCode::corruptFile, "%s: code: %s", name.c_str(), text);
}

template <typename T> std::optional<T> ElfFile::at(uint64_t offset) const {
  if (offset > bytes.size() || sizeof(T) > bytes.size() - offset)
    return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

std::optional<uint64_t> ElfFile::offsetOf(uint64_t address) const {
  for (const Elf64_Phdr &segment : loaded)
    if (address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  return std::nullopt;
}

/// A text for messages; only its printable beginning.
std::string ElfFile::textAt(uint64_t address) const {
  std::string text;
  std::optional<uint64_t> offset = offsetOf(address);
  for (uint64_t i = 0; offset && i < 64; ++i) {
    std::optional<char> c = at<char>(*offset + i);
    if (!c || *c < 0x20 || *c > 0x7E)
      break;
    text.push_back(*c);
  }
  return text;
}

Status ElfFile::readHeader() {
  std::optional<Elf64_Ehdr> found = at<Elf64_Ehdr>(0);
  if (!found || std::memcmp(found->e_ident, ELFMAG, SELFMAG) != 0)
    return error("is not an ELF file");
  header = *found;
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
    return error("is not a 64-bit little-endian ELF file");
  if (header.e_machine != EM_X86_64)
    return error("is for ELF machine %u, but x86-64 (%u) is needed", header.e_machine, EM_X86_64);
  if (header.e_type != ET_DYN)
    return error("is not a shared object (ELF type %u, not %u)", header.e_type, ET_DYN);
  if (header.e_phentsize != sizeof(Elf64_Phdr))
    return error("has program headers of %u bytes, not %zu", header.e_phentsize,
                 sizeof(Elf64_Phdr));
  return Status();
}

Status ElfFile::readSegments() {
  std::optional<Elf64_Phdr> dynamic;
  if (header.e_phoff > bytes.size())
    return error("is cut off: its program headers lie outside of it");
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    std::optional<Elf64_Phdr> segment = at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment)
      return error("is cut off: its program headers lie outside of it");
    if (segment->p_type != PT_LOAD && segment->p_type != PT_DYNAMIC)
      continue;
    if (segment->p_offset > bytes.size() || segment->p_filesz > bytes.size() - segment->p_offset)
      return error("is cut off: segment %u lies outside of it", static_cast<unsigned>(i));
    if (segment->p_type == PT_LOAD)
      loaded.push_back(*segment);
    else
      dynamic = segment;
  }
  if (loaded.empty() || !dynamic)
    return error("has nothing to load or no dynamic section");
  return readDynamic(*dynamic);
}

Status ElfFile::readDynamic(const Elf64_Phdr &segment) {
  uint64_t relocations = 0, relocationBytes = 0, jumps = 0, jumpBytes = 0;
  std::vector<uint64_t> libraries; // offsets of names
  for (uint64_t i = 0; i < segment.p_filesz / sizeof(Elf64_Dyn); ++i) {
    std::optional<Elf64_Dyn> entry = at<Elf64_Dyn>(segment.p_offset + i * sizeof(Elf64_Dyn));
    if (!entry || entry->d_tag == DT_NULL)
      break;
    uint64_t value = entry->d_un.d_val;
    switch (entry->d_tag) {
    case DT_NEEDED:
      libraries.push_back(value);
      break;
    case DT_SYMTAB:
      symbols = value;
      break;
    case DT_STRTAB:
      strings = value;
      break;
    case DT_RELA:
      relocations = value;
      break;
    case DT_RELASZ:
      relocationBytes = value;
      break;
    case DT_JMPREL:
      jumps = value;
      break;
    case DT_PLTRELSZ:
      jumpBytes = value;
      break;
    case DT_REL:
      return error("has relocations of a kind that x86-64 does not use");
    default:
      break;
    }
  }
  if (!libraries.empty())
    return error("needs the library '%s', but must need none",
                 textAt(strings + libraries.front()).c_str());
  SLUICE_RETURN_IF_ERROR(checkRelocations(relocations, relocationBytes));
  return checkRelocations(jumps, jumpBytes);
}

Status ElfFile::checkRelocations(uint64_t address, uint64_t sizeBytes) const {
  if (sizeBytes == 0)
    return Status();
  std::optional<uint64_t> offset = offsetOf(address);
  if (!offset || sizeBytes > bytes.size() - *offset)
    return error("is cut off: its relocations lie outside of it");
  for (uint64_t i = 0; i < sizeBytes / sizeof(Elf64_Rela); ++i)
    if (std::optional<Elf64_Rela> relocation = at<Elf64_Rela>(*offset + i * sizeof(Elf64_Rela)))
      SLUICE_RETURN_IF_ERROR(checkRelocation(*relocation));
  return Status();
}

Status ElfFile::checkRelocation(const Elf64_Rela &relocation) const {
  uint64_t index = ELF64_R_SYM(relocation.r_info);
  if (index == 0)
    return Status();
  std::optional<uint64_t> table = offsetOf(symbols);
  std::optional<Elf64_Sym> symbol;
  if (table)
    symbol = at<Elf64_Sym>(*table + index * sizeof(Elf64_Sym));
  if (!symbol)
    return error("is cut off: symbol %u lies outside of it", static_cast<unsigned>(index));
  if (symbol->st_shndx == SHN_UNDEF)
    return error("refers to the symbol '%s' outside of it; code may call nothing but the kernels "
                 "it is given",
                 textAt(strings + symbol->st_name).c_str());
  return Status();
}

Status ElfFile::check() {
  SLUICE_RETURN_IF_ERROR(readHeader());
  return readSegments();
}

} // namespace

Status checkSharedObject(std::span<const uint8_t> bytes, const std::string &name) {
  return ElfFile(bytes, name).check();
}

} // namespace sluice::exec
