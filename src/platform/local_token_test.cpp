#include "platform/local_token.hpp"

#include <sys/stat.h>

#include <fstream>

#include "platform/temporary_folder.hpp"

namespace caribou {
namespace {

namespace fs = std::filesystem;
using Lifetime = LocalToken::Lifetime;

class LocalTokenTest : public testing::Test {
protected:
    std::string token(std::uint16_t port = 9680) const {
        const auto opened = LocalToken::open(folder, port, Lifetime::kept);
        return opened ? opened->text() : opened.error().message;
    }

    TemporaryFolder scratch;
    const fs::path folder = scratch / "state";
    const fs::path file = folder / "web-9680.token";
};

TEST_F(LocalTokenTest, IsReadableByItsOwnerOnlyAndKept) {
    const std::string text = token();
    EXPECT_EQ(text.size(), LocalToken::size);
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
    EXPECT_EQ(token(), text) << "after a restart it is the same";
    EXPECT_NE(token(9681), text) << "each port has its own";
}

TEST_F(LocalTokenTest, IsReplacedIfOthersMayHaveReadItOrItIsMalformed) {
    const std::string first = token();
    fs::permissions(file, fs::perms::owner_read | fs::perms::others_read);
    const std::string second = token();
    EXPECT_NE(second, first);
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    std::ofstream(file) << "short\n";
    EXPECT_EQ(token().size(), LocalToken::size);
    fs::remove(file);
    fs::create_symlink(scratch.write("elsewhere", first), file);
    EXPECT_NE(token(), first) << "a link is not followed";
    EXPECT_FALSE(fs::is_symlink(file));
}

TEST_F(LocalTokenTest, IsRemovedWithTheProcessIfItsPortIs) {
    {
        const auto opened = LocalToken::open(folder, 9680, Lifetime::of_process);
        ASSERT_TRUE(opened);
        EXPECT_TRUE(fs::exists(file));
    }
    EXPECT_FALSE(fs::exists(file));
}

TEST_F(LocalTokenTest, ReportsAFolderThatCannotBeWritten) {
    std::ofstream(scratch / "plain") << "a file";
    const auto opened = LocalToken::open(scratch / "plain" / "state", 9680, Lifetime::kept);
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().message.find("plain/state"), std::string::npos) << opened.error().message;
}

TEST_F(LocalTokenTest, IsNotSearchedForOnOtherMachines) {
    const auto found = find_local_token(Address::ip("192.0.2.1", 9680));
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message.find("not on this machine"), std::string::npos) << found.error().message;
}

}  // namespace
}  // namespace caribou
