# sluice_dialect_tablegen(target prefix file.td [dialect])
#
# Generates the declarations and definitions of one dialect (ops, types, attributes, enums) beside its sources:
# ${build}/dialects/X/XOps.h.inc and so on, included as "dialects/X/XOps.h.inc".
function(sluice_dialect_tablegen target prefix file dialect)
  set(LLVM_TARGET_DEFINITIONS ${file})
  mlir_tablegen(${prefix}Ops.h.inc -gen-op-decls)
  mlir_tablegen(${prefix}Ops.cpp.inc -gen-op-defs)
  mlir_tablegen(${prefix}Types.h.inc -gen-typedef-decls -typedefs-dialect=${dialect})
  mlir_tablegen(${prefix}Types.cpp.inc -gen-typedef-defs -typedefs-dialect=${dialect})
  mlir_tablegen(${prefix}Attributes.h.inc -gen-attrdef-decls -attrdefs-dialect=${dialect})
  mlir_tablegen(${prefix}Attributes.cpp.inc -gen-attrdef-defs -attrdefs-dialect=${dialect})
  mlir_tablegen(${prefix}Enums.h.inc -gen-enum-decls)
  mlir_tablegen(${prefix}Enums.cpp.inc -gen-enum-defs)
  mlir_tablegen(${prefix}Dialect.h.inc -gen-dialect-decls -dialect=${dialect})
  mlir_tablegen(${prefix}Dialect.cpp.inc -gen-dialect-defs -dialect=${dialect})
  add_public_tablegen_target(${target})
endfunction()

# The headers of MLIR that nearly every file of the compiler reads, parsed once: they are nine tenths of the time that one
# file takes. A file still includes what it uses, and builds without this.
file(WRITE ${PROJECT_BINARY_DIR}/sluice_mlir_headers.cpp "// Carries the precompiled headers of MLIR.\n")
add_library(sluice_mlir_headers STATIC ${PROJECT_BINARY_DIR}/sluice_mlir_headers.cpp)
target_include_directories(sluice_mlir_headers SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_precompile_headers(sluice_mlir_headers PRIVATE
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/LLVMIR/LLVMDialect.h>
  <mlir/Dialect/Linalg/IR/Linalg.h>
  <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/IR/Builders.h>
  <mlir/IR/BuiltinOps.h>
  <mlir/IR/DialectImplementation.h>
  <mlir/IR/PatternMatch.h>
  <mlir/Pass/PassManager.h>
  <mlir/Transforms/DialectConversion.h>)
# ccache can use a precompiled header that carries no time stamp.
set(SLUICE_PCH_FLAGS -Xclang -fno-pch-timestamp)
target_compile_options(sluice_mlir_headers PRIVATE ${SLUICE_PCH_FLAGS})

# sluice_compiler_library(name SOURCES ... DEPENDS tablegen targets ... LIBS ...)
#
# A static library of the compiler, linked against the shared libMLIR and libLLVM.
function(sluice_compiler_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LIBS} MLIR LLVM)
  target_compile_options(${name} PRIVATE ${SLUICE_PCH_FLAGS})
  target_precompile_headers(${name} REUSE_FROM sluice_mlir_headers)
endfunction()
