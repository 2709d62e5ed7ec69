//===- share_counter_test.cpp - counts the shared decryptions of a key -----------------------===//
#include "runtime/client/share_counter.h"

#include "test/runtime/wire/fixtures.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace sluice;
using namespace sluice::client;
namespace fs = std::filesystem;

class ShareCounterTest : public testing::Test {
protected:
  ShareCounterTest()
      : manifest(test::makeManifest({.logN = 5, .insecure = true, .shape = {4}})),
        folder(testing::TempDir() + "share_counter_test") {
    fs::remove_all(folder);
    fs::create_directories(folder + "/other");
    std::ofstream(keyPath()) << "a key";
    std::ofstream(folder + "/other/secret.key") << "a key";
  }
  ~ShareCounterTest() override { fs::remove_all(folder); }

  std::string keyPath() const { return folder + "/secret.key"; }
  std::string path() const { return keyPath() + ".count"; }

  /// A file that allows so many.
  void create(uint64_t allowed) {
    ShareCounter counter(id, allowed);
    ASSERT_TRUE(counter.moveTo(keyPath(), manifest).isOk());
  }
  Expected<uint64_t> takeOne(uint64_t allowed) {
    return ShareCounter(id, allowed, keyPath()).takeOne(manifest);
  }

  const Manifest manifest;
  const std::string folder, id = std::string(32, 'a');
};

constexpr const char *allMade = "2 shared decryptions are allowed under this key, and all were "
                                "made: make new keys, or compile for more decryptions";

TEST_F(ShareCounterTest, InMemory) {
  ShareCounter counter(id, 2);
  EXPECT_EQ(*counter.takeOne(manifest), 1u);
  EXPECT_EQ(*counter.takeOne(manifest), 2u);
  Status refused = counter.takeOne(manifest).status();
  EXPECT_EQ(refused.message(), allMade);
  EXPECT_EQ(refused.code(), StatusCode::insecure);
}

TEST_F(ShareCounterTest, InAFile) {
  create(2);
  EXPECT_EQ(*takeOne(2), 1u);
  EXPECT_EQ(*takeOne(2), 2u);
  for (int again = 0; again < 2; ++again)
    EXPECT_EQ(takeOne(2).message(), allMade);
  EXPECT_FALSE(fs::exists(path() + ".new"));
}

TEST_F(ShareCounterTest, TheFileIsPrivate) {
  create(2);
  ASSERT_TRUE(takeOne(2));
  struct stat status;
  ASSERT_EQ(::stat(path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  ASSERT_EQ(::chmod(path().c_str(), 0644), 0);
  EXPECT_EQ(takeOne(2).status().code(), StatusCode::insecure);
  EXPECT_EQ(takeOne(2).message(),
            path() + ": others can access this count (mode 0644): run chmod 600 on it");
}

TEST_F(ShareCounterTest, AMissingOneIsNotMadeAgain) {
  create(2);
  fs::remove(path());
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(takeOne(2).message(),
              path() + ": the count of shared decryptions that belongs to this key is missing. "
                       "Without it nothing says how many were shared before: put back the file, "
                       "or make new keys");
    EXPECT_FALSE(fs::exists(path()));
  }
}

TEST_F(ShareCounterTest, ADamagedOneIsRefused) {
  create(2);
  std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(70);
  file.put('#');
  file.close();
  EXPECT_EQ(takeOne(2).status().code(), StatusCode::corruptFile);
  fs::resize_file(path(), 0);
  EXPECT_EQ(takeOne(2).status().code(), StatusCode::corruptFile);
}

TEST_F(ShareCounterTest, OneOfAnotherKeyIsRefused) {
  create(2);
  EXPECT_EQ(takeOne(3).message(), path() + ": this counts 2 shared decryptions of key " + id +
                                      ", but the key is " + id + ", which allows 3");
  ShareCounter other(std::string(32, 'b'), 2, keyPath());
  EXPECT_EQ(other.takeOne(manifest).status().code(), StatusCode::mismatch);
  EXPECT_EQ(*takeOne(2), 1u) << "a refusal takes nothing";
}

TEST_F(ShareCounterTest, WhatWasTakenInMemoryGoesWithTheKey) {
  ShareCounter counter(id, 2);
  ASSERT_TRUE(counter.takeOne(manifest));
  ASSERT_TRUE(counter.moveTo(keyPath(), manifest).isOk());
  EXPECT_EQ(*counter.takeOne(manifest), 2u);
  EXPECT_EQ(takeOne(2).message(), allMade) << "the counter in memory counts in the file now";
}

TEST_F(ShareCounterTest, ASecondFileGetsNothing) {
  create(5);
  ShareCounter counter(id, 5, keyPath());
  ASSERT_TRUE(counter.moveTo(folder + "/other/secret.key", manifest).isOk());
  EXPECT_EQ(counter.takeOne(manifest).status().code(), StatusCode::insecure);
  EXPECT_EQ(*takeOne(5), 1u);
  ShareCounter same(id, 5, keyPath());
  ASSERT_TRUE(same.moveTo(keyPath(), manifest).isOk());
  EXPECT_EQ(*same.takeOne(manifest), 2u) << "to where it is already changes nothing";
}

TEST_F(ShareCounterTest, LinksLeadToTheSameCount) {
  create(5);
  const std::string link = folder + "/other/link.key";
  fs::create_symlink(keyPath(), link);
  EXPECT_EQ(countPath(link), fs::canonical(keyPath()).string() + ".count");
  EXPECT_EQ(*ShareCounter(id, 5, link).takeOne(manifest), 1u);
  EXPECT_EQ(*takeOne(5), 2u);
}

TEST_F(ShareCounterTest, WhatCannotBeWrittenIsNotTaken) {
  create(2);
  fs::create_directory(path() + ".new"); // in the way
  EXPECT_EQ(takeOne(2).status().code(), StatusCode::io);
  fs::remove(path() + ".new");
  EXPECT_EQ(*takeOne(2), 1u);
}

TEST_F(ShareCounterTest, AnythingElseAtItsPlaceIsRefused) {
  fs::create_directory(path());
  EXPECT_FALSE(takeOne(2));
  fs::remove(path());
  ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
  EXPECT_EQ(takeOne(2).message(), path() + ": not a regular file");
}

TEST_F(ShareCounterTest, ThreadsShareOneCounter) {
  ShareCounter counter(id, 100);
  std::vector<uint64_t> taken[4];
  std::vector<std::thread> threads;
  for (auto &mine : taken)
    threads.emplace_back([&] {
      while (auto one = counter.takeOne(manifest))
        mine.push_back(*one);
    });
  for (std::thread &thread : threads)
    thread.join();
  std::vector<uint64_t> all;
  for (auto &mine : taken)
    all.insert(all.end(), mine.begin(), mine.end());
  std::ranges::sort(all);
  ASSERT_EQ(all.size(), 100u);
  for (size_t k = 0; k < all.size(); ++k)
    EXPECT_EQ(all[k], k + 1);
}

/// Several processes take until nothing is left: no number is given out twice.
TEST_F(ShareCounterTest, ProcessesNeverTakeTheSameOne) {
  constexpr uint64_t allowed = 60;
  create(allowed);
  int results[2];
  ASSERT_EQ(::pipe(results), 0);
  std::vector<pid_t> children;
  for (int child = 0; child < 4; ++child) {
    pid_t process = ::fork();
    ASSERT_GE(process, 0);
    if (process == 0) {
      Expected<uint64_t> taken = takeOne(allowed);
      for (; taken; taken = takeOne(allowed))
        if (::write(results[1], &*taken, sizeof(uint64_t)) != sizeof(uint64_t))
          ::_exit(2);
      ::_exit(taken.status().code() == StatusCode::insecure ? 0 : 1);
    }
    children.push_back(process);
  }
  ::close(results[1]);
  std::vector<uint64_t> all;
  for (uint64_t one = 0; ::read(results[0], &one, sizeof one) == sizeof one;)
    all.push_back(one);
  ::close(results[0]);
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  std::ranges::sort(all);
  ASSERT_EQ(all.size(), allowed);
  for (uint64_t k = 0; k < allowed; ++k)
    EXPECT_EQ(all[k], k + 1);
}

} // namespace
