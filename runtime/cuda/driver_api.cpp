//===- driver_api.cpp - the functions of NVIDIA's driver that the backend calls ---------------===//
#include "runtime/cuda/driver_api.h"

#include <dlfcn.h>

namespace sluice::cuda {

Status DriverApi::statusOf(CUresult result, const char *call) const {
  if (result == cudaSuccess)
    return Status();
  const char *name = nullptr, *text = nullptr;
  if (getErrorName(result, &name) != cudaSuccess || !name)
    name = "an error without a name";
  if (getErrorString(result, &text) != cudaSuccess || !text)
    text = "no description";
  return Status::error(result == cudaOutOfMemory ? StatusCode::io : StatusCode::internal,
                       "CUDA: %s: %s (%s)", call, text, name);
}

Expected<DriverApi> openDriverApi(const char *library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return Status::error(StatusCode::notFound,
                         "no CUDA device: %s is not installed (install NVIDIA's driver, or run "
                         "with --device cpu)",
                         library);
  DriverApi api;
#define SLUICE_DRIVER_FIND(member, symbol, parameters)                                             \
  api.member = reinterpret_cast<decltype(api.member)>(dlsym(handle, #symbol));                     \
  if (!api.member)                                                                                 \
    return Status::error(StatusCode::notFound,                                                     \
                         "no CUDA device: %s has no function %s (update NVIDIA's driver to that "  \
                         "of CUDA 12 or later, or run with --device cpu)",                         \
                         library, #symbol);
  SLUICE_DRIVER_FUNCTIONS(SLUICE_DRIVER_FIND)
#undef SLUICE_DRIVER_FIND
  return api;
}

} // namespace sluice::cuda
