//===- shared_object_test.cpp - what a code section must be ---------------------------------===//
#include "runtime/exec/shared_object.h"
#include "test/runtime/exec/sample/sample.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

namespace sluice {
namespace {

std::string refusal(std::span<const uint8_t> code) {
  Status status = exec::checkSharedObject(code, "f");
  EXPECT_FALSE(status.isOk());
  EXPECT_EQ(status.code(), StatusCode::corruptFile);
  return status.message();
}

/// The sample's code with its ELF header changed.
std::vector<uint8_t> withHeader(const std::function<void(Elf64_Ehdr &)> &change) {
  std::vector<uint8_t> code = sample::sampleCode();
  Elf64_Ehdr header;
  std::memcpy(&header, code.data(), sizeof header);
  change(header);
  std::memcpy(code.data(), &header, sizeof header);
  return code;
}

TEST(SharedObject, LoadsCode) {
  auto object = exec::SharedObject::load(sample::sampleCode(), "f");
  ASSERT_TRUE(object.isOk()) << object.message();
  EXPECT_NE(object->entry(), nullptr);
}

TEST(SharedObject, KeepsTwoOfThemApart) {
  // The loader knows objects by path and by inode: what is loaded second must not be what was
  // loaded first.
  std::vector<uint8_t> code = sample::sampleCode();
  auto first = exec::SharedObject::load(code, "f");
  auto second = exec::SharedObject::load(code, "f");
  ASSERT_TRUE(first.isOk() && second.isOk());
  EXPECT_NE(first->entry(), second->entry());
  sluice_program_run_fn entry = second->entry();
  *first = std::move(*second);
  EXPECT_EQ(first->entry(), entry);
}

TEST(SharedObject, RefusesSymbolsFromOutside) {
  EXPECT_EQ(refusal(sample::builtCode("code_calls_puts.so")),
            "f: code: refers to the symbol 'puts' outside of it; code may call nothing but the "
            "kernels it is given");
}

TEST(SharedObject, RefusesLibraries) {
  EXPECT_EQ(refusal(sample::builtCode("code_needs_library.so")),
            "f: code: needs the library 'libc.so.6', but must need none");
}

TEST(SharedObject, RefusesCodeWithoutEntry) {
  auto object = exec::SharedObject::load(sample::builtCode("code_without_entry.so"), "f");
  ASSERT_FALSE(object.isOk());
  EXPECT_EQ(object.message(), "f: code: does not export 'sluice_program_run'");
}

TEST(SharedObject, RefusesOtherFiles) {
  EXPECT_EQ(refusal({}), "f: code: is not an ELF file");
  std::string text(1000, 'x');
  EXPECT_EQ(refusal({reinterpret_cast<const uint8_t *>(text.data()), text.size()}),
            "f: code: is not an ELF file");
  EXPECT_EQ(refusal(withHeader([](Elf64_Ehdr &h) { h.e_ident[EI_CLASS] = ELFCLASS32; })),
            "f: code: is not a 64-bit little-endian ELF file");
  EXPECT_EQ(refusal(withHeader([](Elf64_Ehdr &h) { h.e_machine = EM_AARCH64; })),
            "f: code: is for ELF machine 183, but x86-64 (62) is needed");
  EXPECT_EQ(refusal(withHeader([](Elf64_Ehdr &h) { h.e_type = ET_REL; })),
            "f: code: is not a shared object (ELF type 1, not 3)");
  EXPECT_EQ(refusal(withHeader([](Elf64_Ehdr &h) { h.e_phentsize = 8; })),
            "f: code: has program headers of 8 bytes, not 56");
  EXPECT_EQ(refusal(withHeader([](Elf64_Ehdr &h) { h.e_phoff = UINT64_MAX; })),
            "f: code: is cut off: its program headers lie outside of it");
  EXPECT_EQ(refusal(withHeader([](Elf64_Ehdr &h) { h.e_phnum = 0; })),
            "f: code: has nothing to load or no dynamic section");
}

TEST(SharedObject, RefusesTruncatedCode) {
  // Section headers, which loading does not need, stand last; all before them is needed.
  std::vector<uint8_t> code = sample::sampleCode();
  Elf64_Ehdr header;
  std::memcpy(&header, code.data(), sizeof header);
  Elf64_Phdr segment;
  uint64_t end = 0;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    std::memcpy(&segment, code.data() + header.e_phoff + i * sizeof segment, sizeof segment);
    if (segment.p_type == PT_LOAD)
      end = std::max(end, segment.p_offset + segment.p_filesz);
  }
  ASSERT_GT(end, 1000u);
  for (uint64_t size = 0; size < end; size += 97)
    refusal({code.data(), size});
  EXPECT_TRUE(exec::checkSharedObject({code.data(), end}, "f").isOk());
}

} // namespace
} // namespace sluice
