//===- stream.cpp - where files are read from and written to ---------------------------------===//
#include "runtime/wire/stream.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice::wire {
namespace {

Status systemError(const std::string &path, const char *what) {
  StatusCode code = errno == ENOENT ? StatusCode::notFound : StatusCode::io;
  return Status::error(code, "%s: cannot %s: %s", path.c_str(), what, std::strerror(errno));
}

Status tooShort(const Source &source, uint64_t offset, uint64_t size) {
  return Status::error(StatusCode::corruptFile,
                       "%s: truncated: bytes %llu to %llu wanted, the file has %llu",
                       source.name().c_str(), static_cast<unsigned long long>(offset),
                       static_cast<unsigned long long>(offset) + size,
                       static_cast<unsigned long long>(source.size()));
}

class FileSource : public Source {
public:
  FileSource(std::string path, const struct stat &status, int descriptor)
      : Source(std::move(path), static_cast<uint64_t>(status.st_size), status.st_mode & 07777),
        descriptor(descriptor) {}
  ~FileSource() override { ::close(descriptor); }

  Status read(uint64_t offset, std::span<uint8_t> out) override {
    if (offset > size() || out.size() > size() - offset)
      return tooShort(*this, offset, out.size());
    while (!out.empty()) {
      ssize_t count = ::pread(descriptor, out.data(), out.size(), static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR)
        continue;
      if (count < 0)
        return systemError(name(), "read");
      if (count == 0) // it shrank after it was opened
        return tooShort(*this, offset, out.size());
      out = out.subspan(static_cast<size_t>(count));
      offset += static_cast<uint64_t>(count);
    }
    return Status();
  }

private:
  int descriptor;
};

class MemorySource : public Source {
public:
  MemorySource(std::span<const uint8_t> bytes, std::string name)
      : Source(std::move(name), bytes.size()), bytes(bytes) {}

  Status read(uint64_t offset, std::span<uint8_t> out) override {
    if (offset > size() || out.size() > size() - offset)
      return tooShort(*this, offset, out.size());
    if (!out.empty())
      std::memcpy(out.data(), bytes.data() + offset, out.size());
    return Status();
  }

private:
  std::span<const uint8_t> bytes;
};

/// rename() that fails with EEXIST instead of replacing a file, in one step: two processes that
/// write to one path cannot both succeed.
int renameToNew(const char *from, const char *to) {
  int result = ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
  if (result == 0 || (errno != EINVAL && errno != ENOSYS))
    return result;
  // The file system (NFS, for one) cannot do that; a hard link never replaces anything either.
  return ::link(from, to) == 0 ? ::unlink(from) : -1;
}

class FileSink : public Sink {
public:
  FileSink(std::string path, std::string partial, Existing existing, int descriptor)
      : path(std::move(path)), partial(std::move(partial)), existing(existing),
        descriptor(descriptor) {}
  ~FileSink() override {
    if (descriptor >= 0) {
      ::close(descriptor);
      ::unlink(partial.c_str());
    }
  }

  Status write(std::span<const uint8_t> bytes) override {
    while (!bytes.empty()) {
      ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR)
        continue;
      if (count < 0)
        return systemError(path, "write");
      bytes = bytes.subspan(static_cast<size_t>(count));
    }
    return Status();
  }

  Status commit() override {
    int closed = ::close(descriptor);
    descriptor = -1;
    if (closed == 0 &&
        (existing == Existing::replace ? ::rename(partial.c_str(), path.c_str())
                                       : renameToNew(partial.c_str(), path.c_str())) == 0)
      return Status();
    Status failure = systemError(path, "write");
    ::unlink(partial.c_str());
    return failure;
  }

private:
  std::string path, partial;
  Existing existing;
  int descriptor;
};

class MemorySink : public Sink {
public:
  explicit MemorySink(std::vector<uint8_t> &bytes) : bytes(bytes) { bytes.clear(); }
  Status write(std::span<const uint8_t> more) override {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return Status();
  }
  Status commit() override { return Status(); }

private:
  std::vector<uint8_t> &bytes;
};

} // namespace

Expected<std::unique_ptr<Source>> Source::openFile(const std::string &path) {
  // Without O_NONBLOCK, opening a pipe would wait for its writer before fstat could refuse it.
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return systemError(path, "open");
  struct stat status;
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    return Status::error(StatusCode::io, "%s: not a regular file", path.c_str());
  }
  return std::unique_ptr<Source>(std::make_unique<FileSource>(path, status, descriptor));
}

std::unique_ptr<Source> Source::fromMemory(std::span<const uint8_t> bytes, std::string name) {
  return std::make_unique<MemorySource>(bytes, std::move(name));
}

Expected<std::unique_ptr<Sink>> Sink::createFile(const std::string &path, unsigned mode,
                                                 Existing existing) {
  std::string partial = path + ".partial-XXXXXX";
  int descriptor = ::mkostemp(partial.data(), O_CLOEXEC); // a name of its own, mode 0600
  if (descriptor < 0)
    return systemError(path, "create");
  auto sink = std::make_unique<FileSink>(path, std::move(partial), existing, descriptor);
  if (mode != 0600) {
    mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(descriptor, static_cast<mode_t>(mode) & ~mask) != 0)
      return systemError(path, "set the permissions of");
  }
  return std::unique_ptr<Sink>(std::move(sink));
}

std::unique_ptr<Sink> Sink::toMemory(std::vector<uint8_t> &bytes) {
  return std::make_unique<MemorySink>(bytes);
}

Expected<std::vector<uint8_t>> readAll(Source &source, uint64_t maxSize, const char *what) {
  if (source.size() > maxSize)
    return Status::error(StatusCode::corruptFile, "%s: %llu bytes, but %s has at most %llu",
                         source.name().c_str(), static_cast<unsigned long long>(source.size()),
                         what, static_cast<unsigned long long>(maxSize));
  std::vector<uint8_t> bytes(source.size());
  SLUICE_RETURN_IF_ERROR(source.read(0, bytes));
  return bytes;
}

} // namespace sluice::wire
