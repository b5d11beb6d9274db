#include "adapters/keys/key_folder.hpp"

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/keys/key_ring.hpp"
#include "platform/random_bytes.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou {
namespace {

using link::PairedKey;
using testing::HasSubstr;

PairedKey new_key(const std::string& name) {
    std::array<std::byte, link::SecretKey::size> bytes{};
    fill_with_random_bytes(bytes);
    return {name, link::Role::drive, "2026-01-31T12:00:00Z", link::SecretKey(bytes)};
}

unsigned mode_of(const std::filesystem::path& path) {
    struct stat status{};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 0777U;
}

class KeysInAFolder : public testing::Test {
protected:
    TemporaryFolder scratch;
    KeyFolder folder{scratch / "keys"};
    PairedKey key = new_key("bot7");
};

TEST_F(KeysInAFolder, KeepsKeysForTheirOwnerAlone) {
    ASSERT_TRUE(folder.save(key).has_value());
    EXPECT_EQ(folder.read("bot7"), key);
    EXPECT_EQ(mode_of(folder.path()), 0700);
    EXPECT_EQ(mode_of(folder.file_of("bot7")), 0600);
}

TEST_F(KeysInAFolder, RefusesAFileThatOthersCanRead) {
    ASSERT_TRUE(folder.save(key).has_value());
    ASSERT_EQ(::chmod(folder.file_of("bot7").c_str(), 0640), 0);
    const auto read = folder.read("bot7");
    ASSERT_FALSE(read.has_value());
    EXPECT_THAT(read.error().message, HasSubstr("may be read or written by others (mode 640)"));
    EXPECT_THAT(read.error().message, HasSubstr("`chmod 600` it"));
}

TEST_F(KeysInAFolder, SaysWhatThereIsInstead) {
    ASSERT_TRUE(folder.save(key).has_value());
    EXPECT_THAT(folder.read("bot9").error().message, HasSubstr("did you mean `bot7`?"));
    EXPECT_EQ(folder.read("../bot7").error().code, Code::invalid_argument);
    EXPECT_EQ(folder.remove("bot9").error().code, Code::not_found);
}

TEST_F(KeysInAFolder, KeepsThePreviousKeyUntilItIsForgotten) {
    ASSERT_TRUE(folder.save(key).has_value());
    const PairedKey next = new_key("bot7");
    ASSERT_TRUE(folder.replace(next).has_value());
    EXPECT_EQ(folder.read("bot7"), next);
    MemoryLog log;
    KeyRing ring(folder, log);
    EXPECT_EQ(ring.find(id_of(key.key)), key);
    EXPECT_EQ(ring.find(id_of(next.key)), next);
    ASSERT_TRUE(folder.forget_previous("bot7").has_value());
    EXPECT_FALSE(folder.has_previous("bot7"));
    EXPECT_EQ(ring.find(id_of(key.key)).error().code, Code::not_found);
}

TEST_F(KeysInAFolder, RemovesAllThatThereIs) {
    ASSERT_TRUE(folder.save(key).has_value());
    ASSERT_TRUE(folder.replace(new_key("bot7")).has_value());
    ASSERT_TRUE(folder.remove("bot7").has_value());
    EXPECT_TRUE(folder.all()->empty());
}

TEST_F(KeysInAFolder, IsEmptyWhenItIsNotThere) {
    EXPECT_TRUE(folder.all()->empty());
    MemoryLog log;
    EXPECT_EQ(KeyRing(folder, log).size(), 0);
    EXPECT_TRUE(log.lines.empty());
}

TEST_F(KeysInAFolder, HasABadFileConcernNobodyElse) {
    ASSERT_TRUE(folder.save(key).has_value());
    ASSERT_TRUE(folder.save(new_key("bot8")).has_value());
    ASSERT_EQ(::chmod(folder.file_of("bot8").c_str(), 0644), 0);
    MemoryLog log;
    KeyRing ring(folder, log);
    EXPECT_EQ(ring.find(id_of(key.key)), key);
    EXPECT_TRUE(log.mentions("bot8.key may be read or written by others"));
}

TEST_F(KeysInAFolder, ShowsARingWhatHasChangedMeanwhile) {
    MemoryLog log;
    KeyRing ring(folder, log);
    EXPECT_EQ(ring.size(), 0);
    ASSERT_TRUE(folder.save(key).has_value());
    EXPECT_EQ(ring.find(id_of(key.key)), key);
    ASSERT_TRUE(folder.remove("bot7").has_value());
    EXPECT_EQ(ring.find(id_of(key.key)).error().code, Code::not_found);
}

}  // namespace
}  // namespace caribou
