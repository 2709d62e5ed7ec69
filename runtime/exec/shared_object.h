//===- shared_object.h - the code section of an artifact ------------------------------------===//
#ifndef SLUICE_RUNTIME_EXEC_SHARED_OBJECT_H
#define SLUICE_RUNTIME_EXEC_SHARED_OBJECT_H

#include "runtime/abi/sluice.h"
#include "runtime/base/status.h"

#include <cstdint>
#include <span>
#include <string>

namespace sluice::exec {

/// Checks that `bytes` is what docs/formats.md calls code: a 64-bit x86-64 ELF shared object whose
/// tables lie inside it, that needs no library and refers to no symbol outside itself. `name`
/// stands first in messages. It is a check for mistakes, not a sandbox: running code means trusting
/// its author.
Status checkSharedObject(std::span<const uint8_t> bytes, const std::string &name);

/// A shared object opened from memory: no file with code is ever written. Move-only; unloads when
/// destroyed.
class SharedObject {
public:
  /// checkSharedObject, then load. corruptFile: the check failed, the loader refused, or there is
  /// no entry. io: the system gave no memory file.
  static Expected<SharedObject> load(std::span<const uint8_t> bytes, const std::string &name);

  SharedObject(SharedObject &&other) noexcept;
  SharedObject &operator=(SharedObject &&other) noexcept;
  ~SharedObject();

  /// The symbol SLUICE_PROGRAM_SYMBOL.
  sluice_program_run_fn entry() const { return function; }

private:
  SharedObject() = default;
  void close();

  // Stays open while loaded: the loader tells objects apart by path, and the path holds this
  // number.
  int file = -1;
  void *handle = nullptr;
  sluice_program_run_fn function = nullptr;
};

} // namespace sluice::exec

#endif // SLUICE_RUNTIME_EXEC_SHARED_OBJECT_H
