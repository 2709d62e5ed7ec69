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
endfunction()
