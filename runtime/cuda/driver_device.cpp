//===- driver_device.cpp - a GPU through NVIDIA's driver --------------------------------------===//
#include "runtime/cuda/device.h"
#include "runtime/cuda/driver_api.h"

#include <cstdlib>
#include <vector>

namespace sluice::cuda {
namespace {

#define SLUICE_DRIVER_CALL(api, function, ...)                                                     \
  SLUICE_RETURN_IF_ERROR((api).statusOf((api).function(__VA_ARGS__), #function))

class DriverGraph final : public Graph {
public:
  DriverGraph(const DriverApi &api, CUcontext context, CUstream stream)
      : api(api), context(context), stream(stream) {}
  ~DriverGraph() override {
    if (executable)
      api.graphExecDestroy(executable);
    if (graph)
      api.graphDestroy(graph);
  }
  Status create() {
    SLUICE_DRIVER_CALL(api, graphCreate, &graph, 0);
    return Status();
  }

  Status addKernel(KernelLaunch launch, std::span<const uint32_t> dependencies) override {
    void *arguments[] = {&launch.argument};
    const KernelNodeParameters parameters = {static_cast<CUfunction>(launch.kernel),
                                             launch.blocksX,
                                             launch.blocksY,
                                             1,
                                             launch.threads,
                                             1,
                                             1,
                                             launch.sharedBytes,
                                             arguments,
                                             nullptr};
    CUgraphNode node = nullptr;
    const std::vector<CUgraphNode> before = nodesOf(dependencies);
    SLUICE_DRIVER_CALL(api, graphAddKernelNode, &node, graph, before.data(), before.size(),
                       &parameters);
    nodes.push_back(node);
    return Status();
  }

  Status addCopy(Address destination, const void *source, uint64_t bytes,
                 std::span<const uint32_t> dependencies) override {
    Memcpy3D copy = {};
    copy.srcMemoryType = cudaMemoryHost;
    copy.srcHost = source;
    copy.srcPitch = copy.dstPitch = bytes;
    copy.srcHeight = copy.dstHeight = 1;
    copy.dstMemoryType = cudaMemoryDevice;
    copy.dstDevice = destination;
    copy.widthInBytes = bytes;
    copy.height = copy.depth = 1;
    CUgraphNode node = nullptr;
    const std::vector<CUgraphNode> before = nodesOf(dependencies);
    SLUICE_DRIVER_CALL(api, graphAddMemcpyNode, &node, graph, before.data(), before.size(), &copy,
                       context);
    nodes.push_back(node);
    return Status();
  }

  Status instantiate() override {
    SLUICE_DRIVER_CALL(api, graphInstantiate, &executable, graph, 0);
    return Status();
  }
  Status launch() override {
    SLUICE_DRIVER_CALL(api, ctxSetCurrent, context);
    SLUICE_DRIVER_CALL(api, graphLaunch, executable, stream);
    return Status();
  }

private:
  std::vector<CUgraphNode> nodesOf(std::span<const uint32_t> steps) const {
    std::vector<CUgraphNode> found;
    for (uint32_t step : steps)
      found.push_back(nodes[step]);
    return found;
  }

  const DriverApi &api;
  CUcontext context;
  CUstream stream;
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  std::vector<CUgraphNode> nodes;
};

class DriverEvent final : public Event {
public:
  DriverEvent(const DriverApi &api, CUcontext context, CUstream stream)
      : api(api), context(context), stream(stream) {}
  ~DriverEvent() override {
    if (event)
      api.eventDestroy(event);
  }
  Status create() {
    SLUICE_DRIVER_CALL(api, eventCreate, &event, 0);
    return Status();
  }
  Status record() override {
    SLUICE_DRIVER_CALL(api, ctxSetCurrent, context);
    SLUICE_DRIVER_CALL(api, eventRecord, event, stream);
    return Status();
  }
  Expected<double> millisecondsSince(const Event &earlier) const override {
    float milliseconds = 0;
    SLUICE_DRIVER_CALL(api, eventElapsedTime, &milliseconds,
                       static_cast<const DriverEvent &>(earlier).event, event);
    return double{milliseconds};
  }

private:
  const DriverApi &api;
  CUcontext context;
  CUstream stream;
  CUevent event = nullptr;
};

class DriverDevice final : public Device {
public:
  explicit DriverDevice(DriverApi api) : api(api) {}

  ~DriverDevice() override {
    if (!context)
      return;
    api.ctxSetCurrent(context);
    if (stream) {
      api.streamSynchronize(stream);
      api.streamDestroy(stream);
    }
    for (CUdeviceptr address : allocations)
      api.memFree(address);
    for (void *memory : pinned)
      api.memFreeHost(memory);
    for (void *memory : registered)
      api.memHostUnregister(memory);
    if (module)
      api.moduleUnload(module);
    api.primaryCtxRelease(device);
  }

  Status open(int number) {
    SLUICE_DRIVER_CALL(api, init, 0);
    int count = 0, version = 0;
    SLUICE_DRIVER_CALL(api, deviceGetCount, &count);
    if (number >= count)
      return Status::error(StatusCode::notFound,
                           "no CUDA device %d: this machine has %d (SLUICE_CUDA_DEVICE picks one "
                           "from 0 on)",
                           number, count);
    SLUICE_DRIVER_CALL(api, deviceGet, &device, number);
    SLUICE_DRIVER_CALL(api, driverGetVersion, &version);
    char nameBytes[256] = "";
    SLUICE_DRIVER_CALL(api, deviceGetName, nameBytes, sizeof nameBytes - 1, device);
    nameText = nameBytes;
    int processorCount = 0;
    SLUICE_DRIVER_CALL(api, deviceGetAttribute, &processorCount, cudaMultiprocessorCount, device);
    processors = static_cast<uint32_t>(processorCount);
    SLUICE_DRIVER_CALL(api, deviceGetAttribute, &sharedBytes, cudaMaxSharedMemoryOfBlock, device);
    text = "cuda, " + nameText + ", driver " + std::to_string(version / 1000) + "." +
           std::to_string(version % 1000 / 10);
    SLUICE_DRIVER_CALL(api, primaryCtxRetain, &context, device);
    SLUICE_RETURN_IF_ERROR(enter());
    SLUICE_DRIVER_CALL(api, streamCreate, &stream, cudaStreamNonBlocking);
    return Status();
  }

  const std::string &name() const override { return nameText; }
  const std::string &description() const override { return text; }
  uint32_t multiprocessors() const override { return processors; }
  uint32_t sharedMemoryOfBlock() const override { return static_cast<uint32_t>(sharedBytes); }
  Expected<MemoryInfo> memory() const override {
    SLUICE_RETURN_IF_ERROR(enter());
    size_t free = 0, total = 0;
    SLUICE_DRIVER_CALL(api, memGetInfo, &free, &total);
    return MemoryInfo{free, total};
  }

  Expected<Address> allocate(uint64_t bytes) override {
    SLUICE_RETURN_IF_ERROR(enter());
    CUdeviceptr address = 0;
    SLUICE_DRIVER_CALL(api, memAlloc, &address, bytes);
    allocations.push_back(address);
    return Address{address};
  }
  void free(Address address) override {
    if (enter().isOk() && std::erase(allocations, address) > 0)
      api.memFree(address);
  }
  Expected<void *> allocatePinned(uint64_t bytes) override {
    SLUICE_RETURN_IF_ERROR(enter());
    void *memory = nullptr;
    SLUICE_DRIVER_CALL(api, memAllocHost, &memory, bytes);
    pinned.push_back(memory);
    return memory;
  }
  Status pin(const void *memory, uint64_t bytes) override {
    SLUICE_RETURN_IF_ERROR(enter());
    void *start = const_cast<void *>(memory); // copies only read it
    const CUresult result = api.memHostRegister(start, bytes, cudaPortablePinned);
    if (result == cudaAlreadyPinned)
      return Status();
    SLUICE_RETURN_IF_ERROR(api.statusOf(result, "memHostRegister"));
    registered.push_back(start);
    return Status();
  }

  Status copyToDevice(Address destination, const void *source, uint64_t bytes) override {
    SLUICE_RETURN_IF_ERROR(enter());
    SLUICE_DRIVER_CALL(api, copyToDevice, destination, source, bytes, stream);
    return Status();
  }
  Status copyFromDevice(void *destination, Address source, uint64_t bytes) override {
    SLUICE_RETURN_IF_ERROR(enter());
    SLUICE_DRIVER_CALL(api, copyFromDevice, destination, source, bytes, stream);
    return Status();
  }

  Status loadModule(std::span<const uint8_t> code) override {
    SLUICE_RETURN_IF_ERROR(enter());
    Status status = api.statusOf(api.moduleLoadData(&module, code.data()), "moduleLoadData");
    if (!status.isOk())
      return Status::error(StatusCode::corruptFile, "device code: %s", status.message().c_str());
    return Status();
  }
  Expected<Kernel> findKernel(const std::string &name) override {
    SLUICE_RETURN_IF_ERROR(enter());
    CUfunction function = nullptr;
    const CUresult result = api.moduleGetFunction(&function, module, name.c_str());
    if (result == cudaNotFound)
      return Status::error(StatusCode::corruptFile, "device code: has no kernel '%s'",
                           name.c_str());
    SLUICE_RETURN_IF_ERROR(api.statusOf(result, "moduleGetFunction").withContext(name));
    // Without this a launch may not ask for more than 48 KiB.
    SLUICE_ASSIGN_OR_RETURN(uint32_t ownBytes, sharedMemoryOf(function));
    SLUICE_DRIVER_CALL(api, funcSetAttribute, function, cudaKernelMaxLaunchedShared,
                       sharedBytes - static_cast<int>(ownBytes));
    return Kernel{function};
  }
  Expected<uint32_t> sharedMemoryOf(Kernel kernel) override {
    SLUICE_RETURN_IF_ERROR(enter());
    int bytes = 0;
    SLUICE_DRIVER_CALL(api, funcGetAttribute, &bytes, cudaKernelSharedBytes,
                       static_cast<CUfunction>(kernel));
    return static_cast<uint32_t>(bytes);
  }

  Status launch(KernelLaunch launch) override {
    SLUICE_RETURN_IF_ERROR(enter());
    void *arguments[] = {&launch.argument};
    SLUICE_DRIVER_CALL(api, launchKernel, static_cast<CUfunction>(launch.kernel), launch.blocksX,
                       launch.blocksY, 1, launch.threads, 1, 1, launch.sharedBytes, stream,
                       arguments, nullptr);
    return Status();
  }
  Expected<std::unique_ptr<Graph>> makeGraph() override {
    SLUICE_RETURN_IF_ERROR(enter());
    auto graph = std::make_unique<DriverGraph>(api, context, stream);
    SLUICE_RETURN_IF_ERROR(graph->create());
    return std::unique_ptr<Graph>(std::move(graph));
  }
  Expected<std::unique_ptr<Event>> makeEvent() override {
    SLUICE_RETURN_IF_ERROR(enter());
    auto event = std::make_unique<DriverEvent>(api, context, stream);
    SLUICE_RETURN_IF_ERROR(event->create());
    return std::unique_ptr<Event>(std::move(event));
  }
  Status synchronise() override {
    SLUICE_RETURN_IF_ERROR(enter());
    SLUICE_DRIVER_CALL(api, streamSynchronize, stream);
    return Status();
  }

private:
  /// The driver's calls work on the context of the calling thread.
  Status enter() const { return api.statusOf(api.ctxSetCurrent(context), "ctxSetCurrent"); }

  DriverApi api;
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUstream stream = nullptr;
  CUmodule module = nullptr;
  uint32_t processors = 1;
  int sharedBytes = 0;
  std::string nameText, text;
  std::vector<CUdeviceptr> allocations;
  std::vector<void *> pinned, registered;
};

Expected<int> deviceNumber() {
  const char *text = std::getenv("SLUICE_CUDA_DEVICE");
  if (!text)
    return 0;
  char *end = nullptr;
  const long number = std::strtol(text, &end, 10);
  if (*text == 0 || *end != 0 || number < 0 || number > 1023)
    return Status::error(StatusCode::invalidArgument,
                         "SLUICE_CUDA_DEVICE is '%s', but must be the number of a device from 0 on",
                         text);
  return static_cast<int>(number);
}

} // namespace

Expected<std::unique_ptr<Device>> openDriverDevice() {
  SLUICE_ASSIGN_OR_RETURN(int number, deviceNumber());
  SLUICE_ASSIGN_OR_RETURN(DriverApi api, openDriverApi());
  auto device = std::make_unique<DriverDevice>(api);
  SLUICE_RETURN_IF_ERROR(device->open(number));
  return std::unique_ptr<Device>(std::move(device));
}

} // namespace sluice::cuda
