#include "platform/local_token.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "platform/environment.hpp"
#include "platform/http_server.hpp"
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

TEST_F(LocalTokenTest, ReplacesAPipeInsteadOfWaitingForItsWriter) {
    fs::create_directories(folder);
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
    EXPECT_EQ(token().size(), LocalToken::size);
    EXPECT_TRUE(fs::is_regular_file(file));
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

TEST(LocalSocket, IsFoundForAPortThatTheSameAccountServes) {
    const TemporaryFolder scratch;
    const auto before = environment("XDG_STATE_HOME");
    ASSERT_EQ(::setenv("XDG_STATE_HOME", (scratch / "state").c_str(), 1), 0);
    const fs::path folder = state_folder_of_user();
    fs::create_directories(folder);
    EventLoop loop;
    const auto listen = [&](const Address& at) {
        return std::move(HttpServer::listen(loop, at, [](const WebRequest&) { return WebAnswer{}; }).value());
    };
    auto port = listen(Address::ip("127.0.0.1", 0));
    const Address served = port->address();
    EXPECT_EQ(find_local_socket(served), std::nullopt) << "there is none";
    const Address socket = local_socket(folder, served.port);
    std::ofstream(socket.host) << "a file";
    EXPECT_EQ(find_local_socket(served), std::nullopt) << "a file";
    fs::remove(socket.host);
    const auto beside = listen(socket);
    EXPECT_EQ(find_local_socket(served), socket);
    EXPECT_EQ(fs::status(socket.host).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(find_local_socket(Address::ip("192.0.2.1", served.port)), std::nullopt) << "another machine";
    port.reset();
    EXPECT_EQ(find_local_socket(served), std::nullopt) << "the port is not served";
    before ? ::setenv("XDG_STATE_HOME", before->c_str(), 1) : ::unsetenv("XDG_STATE_HOME");
}

TEST_F(LocalTokenTest, IsNotSearchedForOnOtherMachines) {
    const auto found = find_local_token(Address::ip("192.0.2.1", 9680));
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message.find("not on this machine"), std::string::npos) << found.error().message;
}

}  // namespace
}  // namespace caribou
