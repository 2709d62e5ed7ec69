//===- threads.h - a pool of threads for loops over limbs -------------------------------------===//
#ifndef SLUICE_RUNTIME_BASE_THREADS_H
#define SLUICE_RUNTIME_BASE_THREADS_H

#include "runtime/base/status.h"

#include <cstddef>
#include <memory>
#include <type_traits>

namespace sluice {

/// Threads that share loops. Results never depend on their number: iterations write disjoint data.
class ThreadPool {
public:
  /// threadCountFromEnvironment() threads; a refused SLUICE_THREADS is printed to stderr and the
  /// hardware's count is taken.
  ThreadPool();
  /// `threads` >= 1, the caller's included: 1 starts none.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  unsigned threadCount() const;

  /// Calls body(state, i) once for every i < n, in no order, the caller taking part; returns when
  /// all are done. A call from inside a body runs its loop in the calling thread; calls from
  /// several threads wait for each other. `body` must not throw.
  void run(size_t n, void (*body)(void *state, size_t i), void *state);

private:
  struct Shared;
  std::unique_ptr<Shared> shared;
};

/// SLUICE_THREADS if it is set (a number from 1 to 1024, else invalidArgument), else the number of
/// hardware threads.
Expected<unsigned> threadCountFromEnvironment();

/// Calls function(i) once for every i < n on the pool's threads.
template <typename Function> void parallelFor(ThreadPool &pool, size_t n, Function &&function) {
  using Body = std::remove_reference_t<Function>;
  pool.run(
      n, [](void *state, size_t i) { (*static_cast<Body *>(state))(i); },
      const_cast<std::remove_const_t<Body> *>(&function));
}

} // namespace sluice

#endif // SLUICE_RUNTIME_BASE_THREADS_H
