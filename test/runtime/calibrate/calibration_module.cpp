//===- calibration_module.cpp - the kernels that calibration times, for the host --------------===//
#include "runtime/cuda/kernels/calibration.cuh"
