//===- fake_driver.cpp - a libcuda.so.1 for tests without a GPU -------------------------------===//
//
// The functions of driver_api.h over memory of the process. What a driver may do late, it does as
// late as it may: copies and launches wait for the next synchronisation, and of the nodes of a
// graph that wait for none the last one comes first. Misuse ends the process. A module is the path
// of a shared object with kernels for SLUICE_CUDA_HOST_SHIM.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/cuda/driver_api.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <vector>

#define FAKE extern "C" __attribute__((visibility("default"))) CUresult

using namespace sluice::cuda;

struct sluice::cuda::CUctx_st {};
struct sluice::cuda::CUmod_st {
  void *handle;
};
struct sluice::cuda::CUstream_st {
  std::vector<std::function<void()>> work;
};
struct sluice::cuda::CUevent_st {
  std::chrono::steady_clock::time_point moment;
  bool hasPassed = false;
};
struct sluice::cuda::CUgraphNode_st {
  std::function<void()> work;
  std::vector<CUgraphNode> before;
};
struct sluice::cuda::CUgraph_st {
  std::vector<CUgraphNode> nodes;
};
struct sluice::cuda::CUgraphExec_st {
  std::vector<std::function<void()>> work; // in order
};

namespace {

constexpr size_t memoryBytes = size_t{4} << 30;
using HostKernel = void (*)(void **arguments, uint32_t blockX, uint32_t blockY);

void require(bool condition, const char *what) {
  if (condition)
    return;
  std::fprintf(stderr, "fake driver: %s\n", what);
  std::abort();
}

CUctx_st primary;
thread_local CUcontext current = nullptr;
int retained = 0;
std::set<const void *> alive; // all that was created and not destroyed
std::map<CUdeviceptr, size_t> memory;
std::map<const void *, size_t> pinned;
size_t memoryUsed = 0;

template <typename T> T *create(T *object) {
  require(current == &primary, "no context is current");
  alive.insert(object);
  return object;
}
template <typename T> void destroy(T *object) {
  require(alive.erase(object) == 1, "what is destroyed does not exist");
  delete object;
}
void requireAlive(const void *object) {
  require(current == &primary, "no context is current");
  require(alive.contains(object), "what is used does not exist");
}

void requireInside(CUdeviceptr address, size_t bytes) {
  auto next = memory.upper_bound(address);
  require(next != memory.begin(), "an address of no allocation");
  const auto &[begin, size] = *std::prev(next);
  require(address + bytes <= begin + size, "a copy beyond an allocation");
}
bool isPinned(const void *start, size_t bytes) {
  auto next = pinned.upper_bound(start);
  if (next == pinned.begin())
    return false;
  const auto &[begin, size] = *std::prev(next);
  return static_cast<const char *>(start) + bytes <= static_cast<const char *>(begin) + size;
}

/// Of a device and of each kernel, and what launches of a kernel may ask for.
constexpr int maxSharedBytes = 99 << 10, ownSharedBytes = 64;
std::map<CUfunction, unsigned> launchedShared;

/// A launch with its argument as it is now.
std::function<void()> launchOf(CUfunction function, unsigned x, unsigned y, void **arguments) {
  return [function, x, y, argument = *static_cast<uint64_t *>(arguments[0])]() mutable {
    void *pointers[] = {&argument};
    for (unsigned block = 0; block < x * y; ++block)
      reinterpret_cast<HostKernel>(function)(pointers, block % x, block / x);
  };
}

CUresult addNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                 std::function<void()> work) {
  requireAlive(graph);
  *node = new CUgraphNode_st{std::move(work), {before, before + count}};
  graph->nodes.push_back(*node);
  return cudaSuccess;
}

void runAll(CUstream stream) {
  for (auto &work : std::exchange(stream->work, {}))
    work();
}

} // namespace

/// How many objects and allocations there are: for tests.
extern "C" __attribute__((visibility("default"))) size_t fakeDriverObjects() {
  return alive.size() + memory.size() + pinned.size() + static_cast<size_t>(retained);
}

FAKE cuInit(unsigned) { return cudaSuccess; }
FAKE cuDriverGetVersion(int *version) {
  *version = 13010;
  return cudaSuccess;
}
FAKE cuGetErrorName(CUresult result, const char **name) {
  *name = result == cudaOutOfMemory ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_FAKE";
  return cudaSuccess;
}
FAKE cuGetErrorString(CUresult result, const char **text) {
  *text = result == cudaOutOfMemory ? "out of memory" : "a fake error";
  return cudaSuccess;
}
FAKE cuDeviceGetCount(int *count) {
  *count = 2;
  return cudaSuccess;
}
FAKE cuDeviceGet(CUdevice *device, int number) {
  *device = number;
  return cudaSuccess;
}
FAKE cuDeviceGetName(char *name, int size, CUdevice device) {
  std::snprintf(name, static_cast<size_t>(size), "Fake %d", device);
  return cudaSuccess;
}
FAKE cuDeviceGetAttribute(int *value, int attribute, CUdevice) {
  require(attribute == cudaMultiprocessorCount || attribute == cudaMaxSharedMemoryOfBlock,
          "an attribute that nobody needs");
  *value = attribute == cudaMultiprocessorCount ? 2 : maxSharedBytes;
  return cudaSuccess;
}
FAKE cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice) {
  ++retained;
  *context = &primary;
  return cudaSuccess;
}
FAKE cuDevicePrimaryCtxRelease_v2(CUdevice) {
  --retained;
  return cudaSuccess;
}
FAKE cuCtxSetCurrent(CUcontext context) {
  require(context == &primary && retained > 0, "another context");
  current = context;
  return cudaSuccess;
}

FAKE cuMemGetInfo_v2(size_t *free, size_t *total) {
  *free = memoryBytes - memoryUsed;
  *total = memoryBytes;
  return cudaSuccess;
}
FAKE cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  require(current == &primary, "no context is current");
  if (memoryUsed + bytes > memoryBytes)
    return cudaOutOfMemory;
  void *start = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  std::memset(start, 0xa5, bytes); // what nobody wrote must not matter
  *address = reinterpret_cast<CUdeviceptr>(start);
  memory[*address] = bytes;
  memoryUsed += bytes;
  return cudaSuccess;
}
FAKE cuMemFree_v2(CUdeviceptr address) {
  require(memory.contains(address), "freed memory that was not allocated");
  memoryUsed -= memory[address];
  memory.erase(address);
  std::free(reinterpret_cast<void *>(address));
  return cudaSuccess;
}
FAKE cuMemAllocHost_v2(void **start, size_t bytes) {
  *start = std::malloc(bytes);
  pinned[*start] = bytes;
  return cudaSuccess;
}
FAKE cuMemFreeHost(void *start) {
  require(pinned.erase(start) == 1, "freed memory that was not pinned");
  std::free(start);
  return cudaSuccess;
}
FAKE cuMemHostRegister_v2(void *start, size_t bytes, unsigned) {
  return pinned.emplace(start, bytes).second ? cudaSuccess : cudaAlreadyPinned;
}
FAKE cuMemHostUnregister(void *start) {
  require(pinned.erase(start) == 1, "memory that was not pinned");
  return cudaSuccess;
}

FAKE cuMemcpyHtoDAsync_v2(CUdeviceptr destination, const void *source, size_t bytes,
                          CUstream stream) {
  requireAlive(stream);
  requireInside(destination, bytes);
  if (isPinned(source, bytes)) {
    stream->work.push_back(
        [=] { std::memcpy(reinterpret_cast<void *>(destination), source, bytes); });
    return cudaSuccess;
  }
  // From other memory the driver has read all when it returns.
  const auto *start = static_cast<const char *>(source);
  stream->work.push_back([destination, content = std::vector<char>(start, start + bytes)] {
    std::memcpy(reinterpret_cast<void *>(destination), content.data(), content.size());
  });
  return cudaSuccess;
}
FAKE cuMemcpyDtoHAsync_v2(void *destination, CUdeviceptr source, size_t bytes, CUstream stream) {
  requireAlive(stream);
  requireInside(source, bytes);
  stream->work.push_back(
      [=] { std::memcpy(destination, reinterpret_cast<void *>(source), bytes); });
  if (!isPinned(destination, bytes))
    runAll(stream);
  return cudaSuccess;
}

FAKE cuModuleLoadData(CUmodule *module, const void *image) {
  void *handle = dlopen(static_cast<const char *>(image), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return 200; // CUDA_ERROR_INVALID_IMAGE
  *module = create(new CUmod_st{handle});
  return cudaSuccess;
}
FAKE cuModuleUnload(CUmodule module) {
  dlclose(module->handle);
  destroy(module);
  return cudaSuccess;
}
FAKE cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  requireAlive(module);
  *function = static_cast<CUfunction>(dlsym(module->handle, name));
  return *function ? cudaSuccess : cudaNotFound;
}
FAKE cuFuncGetAttribute(int *value, int attribute, CUfunction) {
  require(attribute == cudaKernelSharedBytes, "an attribute that nobody needs");
  *value = ownSharedBytes;
  return cudaSuccess;
}
FAKE cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  require(attribute == cudaKernelMaxLaunchedShared && value + ownSharedBytes <= maxSharedBytes,
          "an attribute that devices do not have");
  launchedShared[function] = static_cast<unsigned>(value);
  return cudaSuccess;
}
FAKE cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned, unsigned,
                    unsigned, unsigned shared, CUstream stream, void **arguments, void **) {
  requireAlive(stream);
  require(z == 1 && y <= 65535, "a grid that devices do not have");
  require(shared <= launchedShared[function], "more shared memory than the kernel may have");
  stream->work.push_back(launchOf(function, x, y, arguments));
  return cudaSuccess;
}

FAKE cuStreamCreate(CUstream *stream, unsigned) {
  *stream = create(new CUstream_st);
  return cudaSuccess;
}
FAKE cuStreamDestroy_v2(CUstream stream) {
  destroy(stream);
  return cudaSuccess;
}
FAKE cuStreamSynchronize(CUstream stream) {
  requireAlive(stream);
  runAll(stream);
  return cudaSuccess;
}
FAKE cuEventCreate(CUevent *event, unsigned) {
  *event = create(new CUevent_st);
  return cudaSuccess;
}
FAKE cuEventDestroy_v2(CUevent event) {
  destroy(event);
  return cudaSuccess;
}
FAKE cuEventRecord(CUevent event, CUstream stream) {
  requireAlive(event);
  requireAlive(stream);
  event->hasPassed = false;
  stream->work.push_back([event] {
    event->moment = std::chrono::steady_clock::now();
    event->hasPassed = true;
  });
  return cudaSuccess;
}
FAKE cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  requireAlive(start);
  requireAlive(end);
  require(start->hasPassed && end->hasPassed, "an event that has not passed");
  *milliseconds = std::chrono::duration<float, std::milli>(end->moment - start->moment).count();
  return cudaSuccess;
}

FAKE cuGraphCreate(CUgraph *graph, unsigned) {
  *graph = create(new CUgraph_st);
  return cudaSuccess;
}
FAKE cuGraphDestroy(CUgraph graph) {
  for (CUgraphNode node : graph->nodes)
    delete node;
  destroy(graph);
  return cudaSuccess;
}
FAKE cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                          const KernelNodeParameters *launch) {
  require(launch->gridDimZ == 1 && launch->gridDimY <= 65535, "a grid that devices do not have");
  require(launch->sharedMemBytes <= launchedShared[launch->func],
          "more shared memory than the kernel may have");
  return addNode(node, graph, before, count,
                 launchOf(launch->func, launch->gridDimX, launch->gridDimY, launch->kernelParams));
}
FAKE cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                          const Memcpy3D *copy, CUcontext context) {
  require(context == &primary && copy->height == 1 && copy->depth == 1, "a copy of another kind");
  require(copy->srcMemoryType == cudaMemoryHost && copy->dstMemoryType == cudaMemoryDevice &&
              isPinned(copy->srcHost, copy->widthInBytes),
          "a copy of other memory");
  requireInside(copy->dstDevice, copy->widthInBytes);
  return addNode(node, graph, before, count, [copy = *copy] {
    std::memcpy(reinterpret_cast<void *>(copy.dstDevice), copy.srcHost, copy.widthInBytes);
  });
}
FAKE cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph, unsigned long long) {
  requireAlive(graph);
  std::vector<size_t> waits;
  std::map<CUgraphNode, std::vector<size_t>> followers;
  std::priority_queue<size_t> ready;
  for (size_t i = 0; i < graph->nodes.size(); ++i) {
    waits.push_back(graph->nodes[i]->before.size());
    for (CUgraphNode before : graph->nodes[i]->before)
      followers[before].push_back(i);
    if (waits[i] == 0)
      ready.push(i);
  }
  *executable = create(new CUgraphExec_st);
  while (!ready.empty()) {
    CUgraphNode node = graph->nodes[ready.top()];
    ready.pop();
    (*executable)->work.push_back(node->work);
    for (size_t follower : followers[node])
      if (--waits[follower] == 0)
        ready.push(follower);
  }
  require((*executable)->work.size() == graph->nodes.size(), "a graph with a cycle");
  return cudaSuccess;
}
FAKE cuGraphExecDestroy(CUgraphExec executable) {
  destroy(executable);
  return cudaSuccess;
}
FAKE cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  requireAlive(executable);
  requireAlive(stream);
  stream->work.push_back([executable] {
    for (auto &work : executable->work)
      work();
  });
  return cudaSuccess;
}
