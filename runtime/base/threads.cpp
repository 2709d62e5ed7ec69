//===- threads.cpp - a pool of threads for loops over limbs -----------------------------------===//
#include "runtime/base/threads.h"

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace sluice {

static constexpr unsigned maxThreads = 1024;

/// True while the current thread runs a body: a nested loop must not wait for the pool it occupies.
static thread_local bool insideBody = false;

/// One loop: threads take indices from `next` until it passes `n`.
struct Loop {
  size_t n;
  void (*body)(void *, size_t);
  void *state;
  std::atomic<size_t> next{0};

  void takePart() {
    bool outer = std::exchange(insideBody, true);
    for (size_t i = next.fetch_add(1, std::memory_order_relaxed); i < n;
         i = next.fetch_add(1, std::memory_order_relaxed))
      body(state, i);
    insideBody = outer;
  }
};

struct ThreadPool::Shared {
  std::mutex callers; // Held by the thread whose loop runs.
  std::mutex mutex;   // Guards the fields below.
  std::condition_variable started, finished;
  Loop *loop = nullptr;
  uint64_t generation = 0; // Counts loops, so that a worker enters each at most once.
  unsigned busy = 0;       // Workers inside the current loop.
  bool stopping = false;
  std::vector<std::thread> workers;

  void work() {
    uint64_t seen = 0;
    std::unique_lock<std::mutex> lock(mutex);
    while (true) {
      started.wait(lock, [&] { return stopping || (loop && generation != seen); });
      if (stopping)
        return;
      seen = generation;
      Loop *current = loop;
      ++busy;
      lock.unlock();
      current->takePart();
      lock.lock();
      if (--busy == 0)
        finished.notify_one();
    }
  }
};

Expected<unsigned> threadCountFromEnvironment() {
  const char *text = std::getenv("SLUICE_THREADS");
  if (!text) {
    unsigned hardware = std::thread::hardware_concurrency();
    return hardware == 0 ? 1u : std::min(hardware, maxThreads);
  }
  char *end = nullptr;
  errno = 0;
  long count = std::strtol(text, &end, 10);
  if (end == text || *end != 0 || errno != 0 || count < 1 || count > static_cast<long>(maxThreads))
    return Status::error(StatusCode::invalidArgument,
                         "SLUICE_THREADS is '%s'; it must be a number from 1 to %u", text,
                         maxThreads);
  return static_cast<unsigned>(count);
}

static unsigned defaultThreadCount() {
  Expected<unsigned> count = threadCountFromEnvironment();
  if (count.isOk())
    return *count;
  unsigned hardware = std::max(1u, std::thread::hardware_concurrency());
  std::fprintf(stderr, "sluice: %s; using %u threads\n", count.message().c_str(), hardware);
  return hardware;
}

ThreadPool::ThreadPool() : ThreadPool(defaultThreadCount()) {}

ThreadPool::ThreadPool(unsigned threads) : shared(std::make_unique<Shared>()) {
  assert(threads >= 1 && "a pool has at least the caller's thread");
  for (unsigned worker = 1; worker < threads; ++worker)
    shared->workers.emplace_back([state = shared.get()] { state->work(); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(shared->mutex);
    shared->stopping = true;
  }
  shared->started.notify_all();
  for (std::thread &worker : shared->workers)
    worker.join();
}

unsigned ThreadPool::threadCount() const {
  return static_cast<unsigned>(shared->workers.size()) + 1;
}

void ThreadPool::run(size_t n, void (*body)(void *, size_t), void *state) {
  Loop loop{n, body, state};
  if (n <= 1 || insideBody || shared->workers.empty()) {
    loop.takePart();
    return;
  }
  std::lock_guard<std::mutex> oneLoop(shared->callers);
  {
    std::lock_guard<std::mutex> lock(shared->mutex);
    shared->loop = &loop;
    ++shared->generation;
  }
  shared->started.notify_all();
  loop.takePart();
  // All indices are taken; wait for the workers that still run theirs. A worker that wakes later
  // finds no loop.
  std::unique_lock<std::mutex> lock(shared->mutex);
  shared->loop = nullptr;
  shared->finished.wait(lock, [&] { return shared->busy == 0; });
}

} // namespace sluice
