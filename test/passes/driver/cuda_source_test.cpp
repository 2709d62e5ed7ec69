//===- cuda_source_test.cpp - what a GPU program refuses, and what nvcc is called with --------===//

#include "passes/driver/CudaCompiler.h"
#include "passes/driver/CudaSource.h"

#include "stages.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace sluice;

namespace {

/// A module of phase fused with this body, whose arguments stand in slots 0, 1 and 2.
std::string fused(const std::string &body, const std::string &ring = "rns.ring = #ring, ") {
  return R"(
    #ring = #rns.ring<logN = 3, primes = [17, 97, 193]>
    !poly = !rns.poly<[0], eval>
    !coeff = !rns.poly<[0], coeff>
    !half = !rns.poly<[0], half_ntt>
    module attributes {)" +
         ring + R"(sluice.keys = [], sluice.inputs = [], sluice.outputs = []} {
      func.func @f(%x: !poly {rns.slots = array<i32: 0>}, %y: !poly {rns.slots = array<i32: 1>},
                   %h: !half {rns.slots = array<i32: 2>}) attributes {rns.arena_slots = 9 : i64} {)" +
         body + "return\n } }";
}

/// The error of the program, or "" when there is none.
std::string errorOf(const std::string &text) {
  StagedModule module(text);
  EXPECT_TRUE(module) << module.messages;
  bool isWritten = succeeded(writeCudaProgram(module.get()));
  EXPECT_EQ(isWritten, module.messages.empty());
  return module.messages;
}

TEST(CudaSource, ALoopHoldsNoWholeTransform) {
  EXPECT_EQ(errorOf(fused(R"(
    %r = rns.limb_kernel %x {rns.slots = array<i32: 3>} : (!poly) -> !coeff {
    ^bb0(%a: !poly):
      %n = rns.negate %a : !poly
      %i = rns.intt %n : !poly -> !coeff
      rns.yield %i : !coeff
    })")),
            "'rns.intt' op cannot be in a loop that runs on a GPU; run fuse-limb-loops with "
            "at-once\n");
}

TEST(CudaSource, NoAutomorphismReadsRowsOfItsLoop) {
  EXPECT_EQ(errorOf(fused(R"(
    %r = rns.limb_kernel %h {rns.slots = array<i32: 3>} : (!half) -> !poly {
    ^bb0(%a: !half):
      %n = rns.ntt_rows %a : !half -> !poly
      %t = rns.automorphism %n {element = 5} : !poly
      rns.yield %t : !poly
    })")),
            "'rns.ntt_rows' op gives what an automorphism in the same loop reads, which cannot run "
            "on a GPU; run fuse-limb-loops with at-once\n");
}

/// x is read at element 1 and 5; y at 1 only.
std::string withResultIn(int slot) {
  return fused(R"(
    %r = rns.limb_kernel %x, %y {rns.slots = array<i32: )" +
               std::to_string(slot) + R"(>} : (!poly, !poly) -> !poly {
    ^bb0(%a: !poly, %b: !poly):
      %t = rns.automorphism %a {element = 5} : !poly
      %m = rns.mac %b, %t, %a : !poly
      rns.yield %m : !poly
    })");
}

TEST(CudaSource, NoResultOverwritesWhatIsReadElsewhere) {
  EXPECT_EQ(errorOf(withResultIn(3)), "");
  EXPECT_EQ(errorOf(withResultIn(1)), "");
  EXPECT_EQ(errorOf(withResultIn(0)),
            "'rns.limb_kernel' op has a result in slot 0, which it reads at other positions: on a "
            "GPU these may have been written before; run plan-memory with at-once\n");
}

/// The result that is known first stands in the slot of what is read last: it is written after.
TEST(CudaSource, AResultWaitsForWhatItOverwrites) {
  StagedModule module(fused(R"(
    %r:2 = rns.limb_kernel %x, %y {rns.slots = array<i32: 1, 3>} : (!poly, !poly) -> (!poly, !poly) {
    ^bb0(%a: !poly, %b: !poly):
      %n = rns.negate %a : !poly
      %m = rns.mul %n, %b : !poly
      rns.yield %n, %m : !poly, !poly
    })"));
  ASSERT_TRUE(module) << module.messages;
  FailureOr<CudaProgram> program = writeCudaProgram(module.get());
  ASSERT_TRUE(succeeded(program)) << module.messages;
  size_t read = program->source.find("= load(b, 4)"), written = program->source.find("store(b, 1");
  ASSERT_NE(written, std::string::npos);
  EXPECT_LT(read, written);
}

/// The launches of two negations side by side, of x and of y, whose results stand in these slots.
std::vector<Launch> launchesOfTwoParts(int first, int second) {
  StagedModule module(fused(R"(
    %r:2 = rns.limb_kernel %x, %y {rns.slots = array<i32: )" +
                            std::to_string(first) + ", " + std::to_string(second) +
                            R"(>} : (!poly, !poly) -> (!poly, !poly) {
    ^bb0(%a: !poly, %b: !poly):
      %m = rns.negate %a : !poly
      %n = rns.negate %b : !poly
      rns.yield %m, %n : !poly, !poly
    })"));
  EXPECT_TRUE(module) << module.messages;
  FailureOr<CudaProgram> program = writeCudaProgram(module.get());
  EXPECT_TRUE(succeeded(program)) << module.messages;
  return succeeded(program) ? program->launches.launches : std::vector<Launch>();
}

TEST(CudaSource, PartsOfALoopThatShareNothingAreLimbsOfOneLaunch) {
  for (auto [first, second] : {std::pair(3, 4), std::pair(0, 4), std::pair(0, 1)}) {
    std::vector<Launch> launches = launchesOfTwoParts(first, second);
    ASSERT_EQ(launches.size(), 1u);
    EXPECT_EQ(launches[0].limbs, 2u);
    EXPECT_EQ(launches[0].parameters.size(), 2u * 3);
  }
}

/// All of a launch runs at once, and launches of one loop in any order: parts stay together where
/// one writes what the other one reads.
TEST(CudaSource, PartsOfALoopThatShareSlotsStayOneKernel) {
  for (auto [first, second] : {std::pair(1, 4), std::pair(3, 0), std::pair(1, 0)}) {
    std::vector<Launch> launches = launchesOfTwoParts(first, second);
    ASSERT_EQ(launches.size(), 1u);
    EXPECT_EQ(launches[0].limbs, 1u);
    EXPECT_EQ(launches[0].parameters.size(), 5u);
  }
}

TEST(CudaSource, PartsOfALoopDoNotWriteOneSlot) {
  EXPECT_EQ(errorOf(fused(R"(
    %r:2 = rns.limb_kernel %x, %y {rns.slots = array<i32: 3, 3>} : (!poly, !poly) -> (!poly, !poly) {
    ^bb0(%a: !poly, %b: !poly):
      %m = rns.negate %a : !poly
      %n = rns.negate %b : !poly
      rns.yield %m, %n : !poly, !poly
    })")),
            "'rns.limb_kernel' op has two results in slot 3\n");
}

TEST(CudaSource, AModuleNeedsARingAndPlaces) {
  EXPECT_EQ(errorOf(fused("", /*ring=*/"")),
            "the module has no 'rns.ring', which says how large a limb is\n");
  EXPECT_EQ(errorOf(fused("%n = rns.negate %x : !poly\n")),
            "'rns.negate' op has no 'rns.slots'; run plan-memory first\n");
}

TEST(CudaCompiler, SaysWhatIsMissingAndWhatFailed) {
  StagedModule module(fused(""));
  ASSERT_TRUE(module);
  EXPECT_TRUE(failed(compileDeviceCode(module.get(), "", "")));
  EXPECT_NE(module.messages.find("target cuda needs nvcc"), std::string::npos);
  module.messages.clear();
  EXPECT_TRUE(failed(compileDeviceCode(module.get(), "", "/bin/false")));
  EXPECT_EQ(module.messages, "compiling device code with /bin/false failed: \n");
}

TEST(CudaCompiler, TheEnvironmentChoosesNvcc) {
  setenv("SLUICE_NVCC", "/some/nvcc", 1);
  EXPECT_EQ(findNvcc(), "/some/nvcc");
  unsetenv("SLUICE_NVCC");
}

} // namespace
