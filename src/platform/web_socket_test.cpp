#include "platform/web_socket.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/http_server.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ChannelWitness final : public TextChannelEvents {
public:
    void on_open() override {
        opened = true;
        if (!greeting.empty()) channel->send(greeting);
    }
    void on_text(std::string_view text) override { texts.emplace_back(text); }
    void on_closed(std::string_view why) override { closed = std::string(why); }

    std::unique_ptr<TextChannel> channel;
    bool opened = false;
    std::string greeting;
    std::vector<std::string> texts;
    std::optional<std::string> closed;
};

class WebSocketTest : public testing::Test {
protected:
    void SetUp() override { listen(Address::ip("127.0.0.1", 0)); }
    void listen(const Address& at) {
        server_ = *HttpServer::listen(
            loop_, at,
            [this](const WebRequest& request) {
                request_ = request;
                if (request.upgrade && request.target == "/stream") return WebAnswer{.status = 101};
                return WebAnswer{.status = 403, .type = "text/plain", .body = "not here"};
            },
            [this](const WebRequest&, std::unique_ptr<TextChannel> channel) {
                there_.channel = std::move(channel);
                there_.channel->attach(there_);
            });
    }
    void dial(const std::string& target) {
        here_.channel = dial_web_socket(
            loop_, {.at = server_->address(), .target = target, .authorization = "Bearer x"}, here_);
    }
    void connect() {
        dial("/stream");
        ASSERT_TRUE(wait([&] { return here_.opened && there_.channel; }));
    }
    bool wait(const std::move_only_function<bool() const>& condition) {
        return loop_.run_until(condition, 30s);
    }

    EventLoop loop_;
    std::unique_ptr<HttpServer> server_;
    std::optional<WebRequest> request_;
    ChannelWitness here_;
    ChannelWitness there_;
};

TEST_F(WebSocketTest, CarriesTextsBothWays) {
    connect();
    EXPECT_TRUE(request_->upgrade);
    EXPECT_FALSE(request_->from_outside);
    EXPECT_EQ(request_->authorization, "Bearer x");
    here_.channel->send("one");
    here_.channel->send("two");
    there_.channel->send(std::string(1'000'000, 'x'));
    ASSERT_TRUE(wait([&] { return there_.texts.size() == 2 && here_.texts.size() == 1; }));
    EXPECT_THAT(there_.texts, ElementsAre("one", "two"));
    EXPECT_EQ(here_.texts[0].size(), 1'000'000u);
    EXPECT_TRUE(wait([&] { return there_.channel->waiting() == 0; }));
}

TEST_F(WebSocketTest, CarriesTextsThroughAUnixSocket) {
    const TemporaryFolder folder;
    const std::string path = (folder / "web.sock").string();
    listen(Address::unix_path(path));
    EXPECT_EQ(server_->address(), Address::unix_path(path));
    connect();
    EXPECT_EQ(request_->host, "localhost");
    EXPECT_FALSE(request_->from_outside);
    here_.channel->send("one");
    there_.channel->send("two");
    ASSERT_TRUE(wait([&] { return there_.texts.size() == 1 && here_.texts.size() == 1; }));
    EXPECT_THAT(there_.texts, ElementsAre("one"));
    server_.reset();
    EXPECT_FALSE(std::filesystem::exists(path));
    ChannelWitness late;
    late.channel = dial_web_socket(loop_, {.at = Address::unix_path(path)}, late);
    EXPECT_TRUE(wait([&] { return late.closed.has_value(); }));
}

TEST_F(WebSocketTest, SendsAsSoonAsItStands) {
    here_.greeting = "two";
    dial("/stream");
    here_.channel->send("one");
    ASSERT_TRUE(wait([&] { return there_.texts.size() == 2; }));
    EXPECT_THAT(there_.texts, ElementsAre("one", "two"));
}

TEST_F(WebSocketTest, SaysWhyItIsRefused) {
    dial("/elsewhere");
    ASSERT_TRUE(wait([&] { return here_.closed.has_value(); }));
    EXPECT_EQ(here_.closed, "not here");
    EXPECT_FALSE(here_.opened);
}

TEST_F(WebSocketTest, SaysThatNobodyIsThere) {
    const Address gone = server_->address();
    server_.reset();
    here_.channel = dial_web_socket(loop_, {.at = gone}, here_);
    ASSERT_TRUE(wait([&] { return here_.closed.has_value(); }));
    EXPECT_THAT(*here_.closed, HasSubstr("refused"));
}

TEST_F(WebSocketTest, TellsTheOtherSideWhyItCloses) {
    connect();
    there_.channel->close("the station ends");
    ASSERT_TRUE(wait([&] { return here_.closed && there_.closed; }));
    EXPECT_EQ(here_.closed, "the station ends");
    EXPECT_EQ(there_.closed, "the station ends");
}

TEST_F(WebSocketTest, IsSilentOnceItIsDestroyed) {
    connect();
    there_.channel.reset();
    ASSERT_TRUE(wait([&] { return here_.closed.has_value(); }));
    EXPECT_FALSE(there_.closed);
}

TEST_F(WebSocketTest, RefusesATextThatIsTooLarge) {
    connect();
    here_.channel->send(std::string(WebSocketLimits::from_client + 1, 'x'));
    ASSERT_TRUE(wait([&] { return there_.closed.has_value(); }));
    EXPECT_THAT(there_.texts, IsEmpty());
}

}  // namespace
}  // namespace caribou
