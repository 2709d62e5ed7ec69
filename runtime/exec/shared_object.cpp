//===- shared_object.cpp - the code section of an artifact ----------------------------------===//
#include "runtime/exec/shared_object.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sluice::exec {
namespace {

Status systemError(const std::string &name, const char *call) {
  return Status::error(StatusCode::io, "%s: code: %s failed: %s", name.c_str(), call,
                       std::strerror(errno));
}

Status writeAll(int file, std::span<const uint8_t> bytes, const std::string &name) {
  while (!bytes.empty()) {
    ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return systemError(name, "write");
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return Status();
}

/// Nothing may change what was checked.
Status makeReadOnly(int file, const std::string &name) {
  if (fchmod(file, S_IRUSR | S_IXUSR) != 0)
    return systemError(name, "fchmod");
  if (fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
    return systemError(name, "sealing");
  return Status();
}

} // namespace

Expected<SharedObject> SharedObject::load(std::span<const uint8_t> bytes, const std::string &name) {
  SLUICE_RETURN_IF_ERROR(checkSharedObject(bytes, name));
  SharedObject object;
  object.file = memfd_create("sluice-program", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (object.file < 0)
    return systemError(name, "memfd_create");
  SLUICE_RETURN_IF_ERROR(writeAll(object.file, bytes, name));
  SLUICE_RETURN_IF_ERROR(makeReadOnly(object.file, name));
  std::string path = "/proc/self/fd/" + std::to_string(object.file);
  object.handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object.handle)
    return Status::error(StatusCode::corruptFile, "%s: code: the loader refused it: %s",
                         name.c_str(), dlerror());
  object.function =
      reinterpret_cast<sluice_program_run_fn>(dlsym(object.handle, SLUICE_PROGRAM_SYMBOL));
  if (!object.function)
    return Status::error(StatusCode::corruptFile, "%s: code: does not export '%s'", name.c_str(),
                         SLUICE_PROGRAM_SYMBOL);
  return object;
}

SharedObject::SharedObject(SharedObject &&other) noexcept
    : file(std::exchange(other.file, -1)), handle(std::exchange(other.handle, nullptr)),
      function(std::exchange(other.function, nullptr)) {}

SharedObject &SharedObject::operator=(SharedObject &&other) noexcept {
  if (this == &other)
    return *this;
  close();
  file = std::exchange(other.file, -1);
  handle = std::exchange(other.handle, nullptr);
  function = std::exchange(other.function, nullptr);
  return *this;
}

SharedObject::~SharedObject() { close(); }

void SharedObject::close() {
  if (handle)
    dlclose(handle);
  if (file >= 0)
    ::close(file);
}

} // namespace sluice::exec
