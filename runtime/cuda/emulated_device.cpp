//===- emulated_device.cpp - memory and functions of this process as a device -----------------===//
#include "runtime/base/arena.h"
#include "runtime/cuda/device.h"

#include <chrono>
#include <cstring>
#include <dlfcn.h>
#include <queue>
#include <unordered_map>
#include <vector>

namespace sluice::cuda {
namespace {

/// The device's memory is this process's.
void *hostPointer(Address address) {
  return reinterpret_cast<void *>(address); // NOLINT(performance-no-int-to-ptr): what it is here
}

using Clock = std::chrono::steady_clock;
using HostKernel = void (*)(void **arguments, uint32_t blockX, uint32_t blockY);

void runBlocks(KernelLaunch launch, ThreadPool &pool) {
  const auto kernel = reinterpret_cast<HostKernel>(launch.kernel);
  void *arguments[] = {&launch.argument};
  parallelFor(pool, size_t{launch.blocksX} * launch.blocksY, [&](size_t block) {
    kernel(arguments, static_cast<uint32_t>(block % launch.blocksX),
           static_cast<uint32_t>(block / launch.blocksX));
  });
}

/// Runs its steps one after the other: of those that wait for none, always the one that was added
/// last. So a wait that was forgotten shows in the results.
class EmulatedGraph final : public Graph {
public:
  explicit EmulatedGraph(ThreadPool &pool) : pool(pool) {}

  Status addKernel(KernelLaunch launch, std::span<const uint32_t> dependencies) override {
    Step step;
    step.launch = launch;
    add(std::move(step), dependencies);
    return Status();
  }
  Status addCopy(Address destination, const void *source, uint64_t bytes,
                 std::span<const uint32_t> dependencies) override {
    Step step;
    step.destination = destination;
    step.source = source;
    step.bytes = bytes;
    add(std::move(step), dependencies);
    return Status();
  }
  Status instantiate() override {
    std::priority_queue<uint32_t> ready;
    for (uint32_t number = 0; number < steps.size(); ++number)
      if (steps[number].waitsFor == 0)
        ready.push(number);
    while (!ready.empty()) {
      order.push_back(ready.top());
      ready.pop();
      for (uint32_t follower : steps[order.back()].followers)
        if (--steps[follower].waitsFor == 0)
          ready.push(follower);
    }
    return Status();
  }
  Status launch() override {
    for (uint32_t number : order) {
      const Step &step = steps[number];
      if (step.source)
        std::memcpy(hostPointer(step.destination), step.source, step.bytes);
      else
        runBlocks(step.launch, pool);
    }
    return Status();
  }

private:
  struct Step {
    KernelLaunch launch;
    Address destination = 0;
    const void *source = nullptr; // of a copy
    uint64_t bytes = 0;
    size_t waitsFor = 0; // steps, not yet in the order
    std::vector<uint32_t> followers;
  };

  void add(Step step, std::span<const uint32_t> dependencies) {
    const auto number = static_cast<uint32_t>(steps.size());
    step.waitsFor = dependencies.size();
    for (uint32_t before : dependencies) {
      assert(before < number && "a step waits for earlier ones only");
      steps[before].followers.push_back(number);
    }
    steps.push_back(std::move(step));
  }

  ThreadPool &pool;
  std::vector<Step> steps;
  std::vector<uint32_t> order;
};

class EmulatedEvent final : public Event {
public:
  Status record() override {
    moment = Clock::now();
    return Status();
  }
  Expected<double> millisecondsSince(const Event &earlier) const override {
    const Clock::time_point start = static_cast<const EmulatedEvent &>(earlier).moment;
    return std::chrono::duration<double, std::milli>(moment - start).count();
  }

private:
  Clock::time_point moment;
};

class EmulatedDevice final : public Device {
public:
  EmulatedDevice(std::string path, ThreadPool &pool)
      : path(std::move(path)), pool(pool), text("emulated, " + this->path) {}
  ~EmulatedDevice() override {
    if (module)
      dlclose(module);
  }

  const std::string &name() const override { return nameText; }
  const std::string &description() const override { return text; }
  uint32_t multiprocessors() const override { return 4; }
  uint32_t sharedMemoryOfBlock() const override { return 99 << 10; } // of the smaller GPUs
  Expected<MemoryInfo> memory() const override {
    return MemoryInfo{uint64_t(1) << 40, uint64_t(1) << 40};
  }

  Expected<Address> allocate(uint64_t bytes) override {
    SLUICE_ASSIGN_OR_RETURN(void *memory, allocatePinned(bytes));
    return reinterpret_cast<Address>(memory);
  }
  void free(Address address) override { allocations.erase(address); }
  Expected<void *> allocatePinned(uint64_t bytes) override {
    SLUICE_ASSIGN_OR_RETURN(AlignedWords words, AlignedWords::tryAllocate((bytes + 7) / 8));
    void *memory = words.data();
    allocations.emplace(reinterpret_cast<Address>(memory), std::move(words));
    return memory;
  }
  Status pin(const void *, uint64_t) override { return Status(); }

  Status copyToDevice(Address destination, const void *source, uint64_t bytes) override {
    std::memcpy(hostPointer(destination), source, bytes);
    return Status();
  }
  Status copyFromDevice(void *destination, Address source, uint64_t bytes) override {
    std::memcpy(destination, hostPointer(source), bytes);
    return Status();
  }

  Status loadModule(std::span<const uint8_t>) override {
    module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!module)
      return Status::error(StatusCode::notFound, "emulated device: %s", dlerror());
    return Status();
  }
  Expected<Kernel> findKernel(const std::string &name) override {
    void *kernel = dlsym(module, name.c_str());
    if (!kernel)
      return Status::error(StatusCode::corruptFile, "%s: has no kernel '%s'", path.c_str(),
                           name.c_str());
    return Kernel{kernel};
  }

  Expected<uint32_t> sharedMemoryOf(Kernel) override { return uint32_t{24 << 10}; }

  Status launch(KernelLaunch launch) override {
    runBlocks(launch, pool);
    return Status();
  }
  Expected<std::unique_ptr<Graph>> makeGraph() override {
    return std::unique_ptr<Graph>(std::make_unique<EmulatedGraph>(pool));
  }
  Expected<std::unique_ptr<Event>> makeEvent() override {
    return std::unique_ptr<Event>(std::make_unique<EmulatedEvent>());
  }
  Status synchronise() override { return Status(); }

private:
  std::string path;
  ThreadPool &pool;
  std::string nameText = "emulated", text;
  void *module = nullptr;
  std::unordered_map<Address, AlignedWords> allocations;
};

} // namespace

Expected<std::unique_ptr<Device>> openEmulatedDevice(const std::string &path, ThreadPool &pool) {
  return std::unique_ptr<Device>(std::make_unique<EmulatedDevice>(path, pool));
}

Expected<std::unique_ptr<Device>> openDevice(const std::string &name, ThreadPool &pool) {
  constexpr std::string_view emulated = "emulated:";
  if (name == "cuda")
    return openDriverDevice();
  if (name.starts_with(emulated))
    return openEmulatedDevice(name.substr(emulated.size()), pool);
  return Status::error(StatusCode::invalidArgument,
                       "there is no device '%s': it is 'cpu' or 'cuda'", name.c_str());
}

} // namespace sluice::cuda
