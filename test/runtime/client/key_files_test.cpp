//===- key_files_test.cpp - a client's keys in files -----------------------------------------===//
#include "runtime/client/key_files.h"

#include "test/runtime/wire/fixtures.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace {

using namespace sluice;
using namespace sluice::client;
namespace fs = std::filesystem;

class KeyFilesTest : public testing::Test {
protected:
  KeyFilesTest() : folder(testing::TempDir() + "key_files_test/one/keys") { removeAll(); }
  ~KeyFilesTest() override { removeAll(); }

  void removeAll() { fs::remove_all(testing::TempDir() + "key_files_test"); }

  static Client makeClient(uint8_t seed = 1) {
    Manifest manifest = test::makeManifest({.logN = 5, .insecure = true, .shape = {4}});
    Expected<Client> client =
        Client::create(test::bytesOf(wire::writeManifest(manifest)), "m", {.allowInsecure = true},
                       Entropy::insecureFromSeed(seed));
    EXPECT_TRUE(client) << client.message();
    return std::move(*client);
  }

  std::vector<std::string> contents() const {
    std::vector<std::string> texts;
    for (const std::string &name : three) {
      std::ifstream file(fs::path(folder) / name, std::ios::binary);
      texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return texts;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto &entry : fs::directory_iterator(folder))
      found.push_back(entry.path().filename());
    std::ranges::sort(found);
    return found;
  }

  static unsigned modeOf(const std::string &path) {
    struct stat status;
    EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
    return status.st_mode & 0777;
  }

  const std::vector<std::string> three = {"eval.keys", "public.key", "secret.key"};
  std::string folder;
};

TEST_F(KeyFilesTest, ANewFolderAndTheSecretKeyArePrivate) {
  for (const char *end : {"", "/"}) {
    removeAll();
    Client client = makeClient();
    Expected<KeyFiles> files = writeKeyFiles(client, folder + end);
    ASSERT_TRUE(files) << files.message();
    EXPECT_EQ(names(), three);
    EXPECT_EQ(modeOf(folder), 0700u);
    EXPECT_EQ(modeOf(files->secret), 0600u);
    EXPECT_EQ(files->keyId.size(), 32u);
  }
}

TEST_F(KeyFilesTest, AFolderThatIsThereKeepsItsMode) {
  fs::create_directories(folder);
  ASSERT_EQ(::chmod(folder.c_str(), 0755), 0);
  Client client = makeClient();
  ASSERT_TRUE(writeKeyFiles(client, folder));
  EXPECT_EQ(modeOf(folder), 0755u);
}

TEST_F(KeyFilesTest, ASecretKeyIsKeptWithAllThatBelongsToIt) {
  Client owner = makeClient(1), other = makeClient(2);
  ASSERT_TRUE(writeKeyFiles(owner, folder));
  std::vector<std::string> before = contents();
  Status refused = writeKeyFiles(other, folder).status();
  EXPECT_EQ(refused.code(), StatusCode::invalidArgument);
  EXPECT_TRUE(refused.message().starts_with(folder + "/secret.key: there is a secret key already"));
  EXPECT_EQ(contents(), before);
  EXPECT_EQ(names(), three);
  ASSERT_TRUE(writeKeyFiles(other, folder, wire::Existing::replace));
  for (size_t k = 0; k < three.size(); ++k)
    EXPECT_NE(contents()[k], before[k]);
}

/// Two processes that make keys in one folder: the second to finish writes nothing.
TEST_F(KeyFilesTest, ASecretKeyThatAppearsMeanwhileIsKeptToo) {
  Client owner = makeClient(1), other = makeClient(2);
  bool isDone = false;
  Expected<KeyFiles> second = writeKeyFiles(other, folder, wire::Existing::keep, [&](auto...) {
    if (!isDone)
      ASSERT_TRUE(writeKeyFiles(owner, folder));
    isDone = true;
  });
  EXPECT_EQ(second.message(), folder + "/secret.key: cannot write: File exists");
  EXPECT_EQ(names(), three);
  Client again = makeClient();
  ASSERT_TRUE(readKeyFile(again, folder + "/secret.key", KeyUse::decrypt).isOk());
  Tensor values{{4}, {1, 2, 3, 4}};
  EXPECT_TRUE(again.decrypt(*owner.encrypt(0, values)).isOk());
  Client sender = makeClient();
  ASSERT_TRUE(readKeyFile(sender, folder + "/public.key", KeyUse::encrypt).isOk());
  EXPECT_TRUE(again.decrypt(*sender.encrypt(0, values)).isOk());
}

TEST_F(KeyFilesTest, SameBytesAtAnyNumberOfThreads) {
  const char *found = std::getenv("SLUICE_THREADS");
  const std::string saved = found ? found : "";
  std::vector<std::string> wanted;
  for (const char *threads : {"1", "2", "3"}) {
    removeAll();
    ::setenv("SLUICE_THREADS", threads, 1);
    Client client = makeClient();
    EXPECT_EQ(std::to_string(client.parameters().threads().threadCount()), threads);
    ASSERT_TRUE(writeKeyFiles(client, folder));
    if (wanted.empty())
      wanted = contents();
    EXPECT_EQ(contents(), wanted) << threads << " threads";
  }
  for (const std::string &file : wanted)
    EXPECT_FALSE(file.empty());
  if (found)
    ::setenv("SLUICE_THREADS", saved.c_str(), 1);
  else
    ::unsetenv("SLUICE_THREADS");
}

TEST_F(KeyFilesTest, AFolderThatCannotBeMade) {
  fs::create_directories(fs::path(folder).parent_path());
  std::ofstream(folder) << "a file";
  Client client = makeClient();
  EXPECT_EQ(writeKeyFiles(client, folder).message(),
            folder + ": cannot create this folder: Not a directory");
  EXPECT_EQ(writeKeyFiles(client, folder + "/below").message(),
            folder + "/below: cannot create this folder: Not a directory");
}

TEST_F(KeyFilesTest, OtherFilesAreNoKeysForThis) {
  Client owner = makeClient();
  ASSERT_TRUE(writeKeyFiles(owner, folder));
  Client client = makeClient();
  const std::string rest =
      "; encryption needs public.key or secret.key, decryption needs secret.key";
  EXPECT_EQ(readKeyFile(client, folder + "/eval.keys", KeyUse::encrypt).message(),
            folder + "/eval.keys: this is a file of evaluation keys" + rest);
  Status status = readKeyFile(client, folder + "/public.key", KeyUse::decrypt);
  EXPECT_EQ(status.message(), folder + "/public.key: this is a public key" + rest);
  EXPECT_EQ(status.code(), StatusCode::mismatch);
  EXPECT_FALSE(client.hasKey());
}

} // namespace
