//===- status_test.cpp ------------------------------------------------------------------------===//
#include "runtime/base/status.h"

#include <gtest/gtest.h>
#include <memory>

using namespace sluice;

namespace {

TEST(Status, DefaultIsSuccess) {
  Status status;
  EXPECT_TRUE(status.isOk());
  EXPECT_EQ(status.code(), StatusCode::ok);
  EXPECT_EQ(status.message(), "");
}

TEST(Status, ErrorFormatsItsMessage) {
  Status status = Status::error(StatusCode::outOfRange, "limb %d of %s", 7, "the chain");
  EXPECT_FALSE(status.isOk());
  EXPECT_EQ(status.code(), StatusCode::outOfRange);
  EXPECT_EQ(status.message(), "limb 7 of the chain");
}

TEST(Status, LongMessagesAreWhole) {
  std::string text(5000, 'x');
  EXPECT_EQ(Status::error(StatusCode::io, "%s", text.c_str()).message(), text);
}

TEST(Status, ContextComesFirstAndOnlyOnErrors) {
  Status failure = Status::error(StatusCode::corruptFile, "bad magic");
  EXPECT_EQ(failure.withContext("x.ct").message(), "x.ct: bad magic");
  EXPECT_EQ(failure.withContext("x.ct").code(), StatusCode::corruptFile);
  EXPECT_TRUE(Status().withContext("x.ct").isOk());
}

TEST(Status, CodesHaveTheirNames) {
  EXPECT_STREQ(statusCodeName(StatusCode::ok), "ok");
  EXPECT_STREQ(statusCodeName(StatusCode::unsupportedVersion), "unsupportedVersion");
  EXPECT_STREQ(statusCodeName(StatusCode::internal), "internal");
}

Expected<int> half(int value) {
  if (value % 2 != 0)
    return Status::error(StatusCode::invalidArgument, "%d is odd", value);
  return value / 2;
}

Expected<int> quarter(int value) {
  SLUICE_ASSIGN_OR_RETURN(int once, half(value));
  SLUICE_ASSIGN_OR_RETURN(int twice, half(once));
  return twice;
}

Status checkQuarter(int value) {
  SLUICE_RETURN_IF_ERROR(quarter(value).status());
  return Status();
}

TEST(Expected, CarriesAValueOrAFailure) {
  Expected<int> good = half(6), bad = half(7);
  ASSERT_TRUE(good.isOk());
  EXPECT_EQ(*good, 3);
  EXPECT_TRUE(good.status().isOk());
  EXPECT_FALSE(bad.isOk());
  EXPECT_EQ(bad.message(), "7 is odd");
  EXPECT_EQ(bad.status().code(), StatusCode::invalidArgument);
}

TEST(Expected, MacrosPassFailuresOn) {
  EXPECT_EQ(*quarter(12), 3);
  EXPECT_EQ(quarter(6).message(), "3 is odd");
  EXPECT_TRUE(checkQuarter(8).isOk());
  EXPECT_EQ(checkQuarter(5).message(), "5 is odd");
}

TEST(Expected, MovesWhatCannotBeCopied) {
  Expected<std::unique_ptr<int>> box = std::make_unique<int>(5);
  std::unique_ptr<int> content = *std::move(box);
  EXPECT_EQ(*content, 5);
}

} // namespace
