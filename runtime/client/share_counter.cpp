//===- share_counter.cpp - counts the shared decryptions of a key ----------------------------===//
#include "runtime/client/share_counter.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice::client {
namespace {

Status systemError(const std::string &path, const char *what) {
  return Status::error(StatusCode::io, "%s: cannot %s: %s", path.c_str(), what,
                       std::strerror(errno));
}

/// An open file, or none; closing gives up its lock.
class Descriptor {
public:
  explicit Descriptor(int number) : number(number) {}
  Descriptor(Descriptor &&other) noexcept : number(std::exchange(other.number, -1)) {}
  Descriptor &operator=(Descriptor &&other) noexcept {
    std::swap(number, other.number);
    return *this;
  }
  ~Descriptor() {
    if (number >= 0)
      ::close(number);
  }
  int get() const { return number; }

private:
  int number;
};

Status missing(const std::string &path) {
  return Status::error(
      StatusCode::notFound,
      "%s: the count of shared decryptions that belongs to this key is missing. Without it nothing "
      "says how many were shared before: put back the file, or make new keys",
      path.c_str());
}

/// The file at `path`, which nobody else changes while the descriptor is open.
Expected<Descriptor> lockFile(const std::string &path) {
  while (true) {
    Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0)
      return errno == ENOENT ? missing(path) : systemError(path, "open");
    while (::flock(file.get(), LOCK_EX) != 0)
      if (errno != EINTR)
        return systemError(path, "lock");
    // Whoever had the lock before may have put another file in its place.
    struct stat locked, there;
    if (::fstat(file.get(), &locked) != 0)
      return systemError(path, "read");
    if (::stat(path.c_str(), &there) != 0)
      return errno == ENOENT ? missing(path) : systemError(path, "read");
    if (locked.st_ino == there.st_ino && locked.st_dev == there.st_dev)
      return file;
  }
}

Status syncAt(const std::string &path, int flags) {
  Descriptor file(::open(path.c_str(), flags | O_CLOEXEC));
  if (file.get() < 0 || ::fsync(file.get()) != 0)
    return systemError(path, "write");
  return Status();
}

/// Writes the file beside the path, and puts it there once it is on the disk.
Status writeDurably(const wire::ShareCount &count, const Manifest &manifest,
                    const std::string &path) {
  const std::string beside = path + ".new"; // only under the lock, or with a key that is new
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Sink> sink, wire::Sink::createFile(beside, 0600));
  SLUICE_RETURN_IF_ERROR(wire::writeShareCount(count, manifest, std::move(sink)));
  SLUICE_RETURN_IF_ERROR(syncAt(beside, O_RDONLY));
  if (::rename(beside.c_str(), path.c_str()) != 0)
    return systemError(path, "write");
  std::string folder = std::filesystem::path(path).parent_path();
  return syncAt(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
}

Status exhausted(uint64_t allowed) {
  return Status::error(
      StatusCode::insecure,
      "%llu shared decryptions are allowed under this key, and all were made: make "
      "new keys, or compile for more decryptions",
      static_cast<unsigned long long>(allowed));
}

} // namespace

std::string countPath(const std::string &keyPath) {
  std::error_code failure;
  std::filesystem::path file = std::filesystem::canonical(keyPath, failure);
  return (failure ? keyPath : file.string()) + ".count";
}

Expected<uint64_t> ShareCounter::takeFromFile(const Manifest &manifest) {
  SLUICE_ASSIGN_OR_RETURN(Descriptor lock, lockFile(path));
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Source> source, wire::Source::openFile(path));
  SLUICE_ASSIGN_OR_RETURN(wire::ShareCount found,
                          wire::readShareCount(std::move(source), manifest));
  if (found.keyId != count.keyId || found.allowed != count.allowed)
    return Status::error(StatusCode::mismatch,
                         "%s: this counts %llu shared decryptions of key %s, but the key is %s, "
                         "which allows %llu",
                         path.c_str(), static_cast<unsigned long long>(found.allowed),
                         found.keyId.c_str(), count.keyId.c_str(),
                         static_cast<unsigned long long>(count.allowed));
  if (found.used >= found.allowed)
    return exhausted(found.allowed);
  ++found.used;
  SLUICE_RETURN_IF_ERROR(writeDurably(found, manifest, path));
  return found.used;
}

Expected<uint64_t> ShareCounter::takeOne(const Manifest &manifest) {
  std::lock_guard<std::mutex> guard(mutex);
  if (!path.empty())
    return takeFromFile(manifest);
  if (count.used >= count.allowed)
    return exhausted(count.allowed);
  return ++count.used;
}

Status ShareCounter::moveTo(const std::string &keyPath, const Manifest &manifest) {
  std::lock_guard<std::mutex> guard(mutex);
  std::string target = countPath(keyPath);
  if (target == path)
    return Status();
  wire::ShareCount moved = count;
  if (!path.empty())
    moved.used = moved.allowed;
  SLUICE_RETURN_IF_ERROR(writeDurably(moved, manifest, target));
  path = target;
  return Status();
}

} // namespace sluice::client
