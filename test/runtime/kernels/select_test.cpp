//===- select_test.cpp - which row computes ---------------------------------------------------===//
#include "runtime/base/cpu_features.h"
#include "runtime/kernels/kernels.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

using namespace sluice;
using namespace sluice::kernels;

namespace {

class Select : public testing::Test {
protected:
  void SetUp() override {
    if (const char *outer = std::getenv("SLUICE_CPU"))
      saved = outer;
    unsetenv("SLUICE_CPU");
  }
  void TearDown() override {
    if (saved.empty())
      unsetenv("SLUICE_CPU");
    else
      setenv("SLUICE_CPU", saved.c_str(), 1);
  }
  std::string saved;
};

TEST_F(Select, EveryRowIsWhole) {
  ASSERT_FALSE(allKernelTables().empty());
  EXPECT_STREQ(allKernelTables().front()->name, "scalar");
  for (const KernelTable *table : allKernelTables()) {
    SCOPED_TRACE(table->name);
    EXPECT_TRUE(table->ntt && table->intt && table->automorphism && table->baseConvert);
    EXPECT_TRUE(table->add && table->sub && table->negate && table->mul && table->mac);
    EXPECT_TRUE(table->mulScalar && table->addScalar && table->subMulScalar);
    EXPECT_TRUE(table->innerProduct && table->embed && table->unembed && table->embedWide &&
                table->unembedWide && table->reduceSmall && table->reduceSigned);
  }
}

TEST_F(Select, TakesTheFastestRowThatRunsHere) {
  Expected<const KernelTable *> table = selectKernels(50);
  ASSERT_TRUE(table.isOk());
  const CpuFeatures &cpu = cpuFeatures();
  EXPECT_STREQ((*table)->name, cpu.hasAvx512Ifma ? "avx512ifma" : cpu.hasAvx2 ? "avx2" : "scalar");
  EXPECT_FALSE((*table)->isEmulated);
}

TEST_F(Select, TestsCoverTheIfmaRowEverywhere) {
  bool hasEmulated = false;
  for (const KernelTable *table : allKernelTables())
    hasEmulated |= table->isEmulated && std::string(table->name) == "avx512ifma-emulated";
  EXPECT_TRUE(hasEmulated);
}

TEST_F(Select, CanBeForced) {
  for (const KernelTable *table : allKernelTables()) {
    setenv("SLUICE_CPU", table->name, 1);
    Expected<const KernelTable *> chosen = selectKernels(50);
    ASSERT_TRUE(chosen.isOk());
    EXPECT_EQ(*chosen, table);
  }
}

TEST_F(Select, RefusesAnUnknownName) {
  setenv("SLUICE_CPU", "sse9", 1);
  Status status = selectKernels(50).status();
  EXPECT_EQ(status.code(), StatusCode::invalidArgument);
  EXPECT_EQ(status.message().rfind("SLUICE_CPU is 'sse9', which names no kernels of this build; "
                                   "this machine runs: ",
                                   0),
            0u)
      << status.message();
  EXPECT_NE(status.message().find("scalar"), std::string::npos);
}

TEST_F(Select, RefusesARowThatThisMachineCannotRun) {
#if defined(__x86_64__)
  setenv("SLUICE_CPU", "avx512ifma", 1);
  Status status = selectKernels(50).status();
  if (cpuFeatures().hasAvx512Ifma) {
    EXPECT_TRUE(status.isOk());
    return;
  }
  EXPECT_EQ(status.code(), StatusCode::unsupportedVersion);
  EXPECT_NE(status.message().find("SLUICE_CPU is 'avx512ifma', which needs AVX-512 F, DQ, BW, VL "
                                  "and IFMA; this machine runs: "),
            std::string::npos)
      << status.message();
#endif
}

TEST_F(Select, RefusesPrimesThatNoRowTakes) {
  EXPECT_EQ(selectKernels(51).status().message(),
            "no kernels for primes of 51 bits: the widest are 50");
  setenv("SLUICE_CPU", "scalar", 1);
  EXPECT_EQ(selectKernels(51).status().message(),
            "SLUICE_CPU is 'scalar', whose primes have at most 50 bits, not 51");
}

} // namespace
