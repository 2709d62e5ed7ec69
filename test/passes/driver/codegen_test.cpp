//===- codegen_test.cpp - shared objects from the LLVM dialect --------------------------------===//

#include "passes/driver/Codegen.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"

#include <dlfcn.h>
#include <fstream>
#include <gtest/gtest.h>

using namespace mlir;
using namespace sluice;

namespace {

class Codegen : public testing::Test {
protected:
  Codegen()
      : context(makeRegistry()), handler(&context, [this](mlir::Diagnostic &diagnostic) {
          messages += diagnostic.str() + "\n";
        }) {}

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registry.insert<LLVM::LLVMDialect>();
    registerCodegenTranslations(registry);
    return registry;
  }
  void parse(const char *text) { module = parseSourceString<ModuleOp>(text, &context); }

  std::string messages;
  MLIRContext context;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
};

/// Adds the second argument's word at offset 3 of a private table.
constexpr const char *goodModule = R"(
  llvm.mlir.global private constant @table(dense<[10, 20, 30, 40]> : tensor<4xi32>) : !llvm.array<4 x i32>
  llvm.func @sluice_program_run(%context: !llvm.ptr, %number: !llvm.ptr) -> i32 {
    %base = llvm.mlir.addressof @table : !llvm.ptr
    %place = llvm.getelementptr inbounds %base[3] : (!llvm.ptr) -> !llvm.ptr, i32
    %constant = llvm.load %place : !llvm.ptr -> i32
    %variable = llvm.load %number : !llvm.ptr -> i32
    %sum = llvm.add %constant, %variable : i32
    llvm.return %sum : i32
  })";

TEST_F(Codegen, TheSharedObjectRuns) {
  parse(goodModule);
  FailureOr<std::string> object = translateToObject(*module);
  ASSERT_TRUE(succeeded(object)) << messages;
  FailureOr<std::string> code = linkSharedObject(*module, *object, findLinker());
  ASSERT_TRUE(succeeded(code)) << messages;

  std::string path = testing::TempDir() + "codegen_test.so";
  std::ofstream(path, std::ios::binary) << *code;
  void *library = dlopen(path.c_str(), RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  auto run =
      reinterpret_cast<int32_t (*)(void *, const int32_t *)>(dlsym(library, "sluice_program_run"));
  ASSERT_NE(run, nullptr);
  int32_t two = 2;
  EXPECT_EQ(run(nullptr, &two), 42);
  dlclose(library);
  llvm::sys::fs::remove(path);
}

TEST_F(Codegen, ItExportsOneSymbolAndNeedsNone) {
  parse(goodModule);
  FailureOr<std::string> code =
      linkSharedObject(*module, *translateToObject(*module), findLinker());
  ASSERT_TRUE(succeeded(code)) << messages;
  auto file = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(*code, "code"),
                                                            /*InitContent=*/true);
  ASSERT_TRUE(static_cast<bool>(file));
  auto &elf = llvm::cast<llvm::object::ELFObjectFileBase>(**file);
  std::vector<std::string> symbols;
  for (llvm::object::ELFSymbolRef symbol : elf.getDynamicSymbolIterators()) {
    EXPECT_FALSE(*symbol.getFlags() & llvm::object::SymbolRef::SF_Undefined);
    symbols.push_back(symbol.getName()->str());
  }
  EXPECT_EQ(symbols, std::vector<std::string>{"sluice_program_run"});
}

TEST_F(Codegen, EqualModulesGiveEqualBytes) {
  parse(goodModule);
  std::string first = *linkSharedObject(*module, *translateToObject(*module), findLinker());
  EXPECT_EQ(first, *linkSharedObject(*module, *translateToObject(*module), findLinker()));
}

TEST_F(Codegen, AnUndefinedSymbolIsRefused) {
  parse(R"(
    llvm.func @memcpy(!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
    llvm.func @sluice_program_run(%a: !llvm.ptr, %b: !llvm.ptr) -> i32 {
      %n = llvm.mlir.constant(8 : i64) : i64
      %c = llvm.call @memcpy(%a, %b, %n) : (!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
      %z = llvm.mlir.constant(0 : i32) : i32
      llvm.return %z : i32
    })");
  FailureOr<std::string> object = translateToObject(*module);
  ASSERT_TRUE(succeeded(object)) << messages;
  EXPECT_TRUE(failed(linkSharedObject(*module, *object, findLinker())));
  EXPECT_NE(messages.find("linking the code failed: "), std::string::npos);
  EXPECT_NE(messages.find("undefined symbol: memcpy"), std::string::npos);
}

TEST_F(Codegen, AMissingLinkerIsNamedWithItsPackage) {
  parse(goodModule);
  EXPECT_TRUE(failed(linkSharedObject(*module, "", "")));
  EXPECT_NE(messages.find("or on PATH; install the package lld-22\n"), std::string::npos);
}

TEST_F(Codegen, OtherDialectsAreRefused) {
  context.allowUnregisteredDialects();
  parse("\"other.op\"() : () -> ()");
  EXPECT_TRUE(failed(translateToObject(*module)));
  EXPECT_NE(messages.find("cannot translate the module to LLVM IR"), std::string::npos);
}

} // namespace
