#include "platform/http_server.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loop/network.hpp"
#include "platform/socket_network.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// Sends given bytes, and reads until the peer closes.
class Caller final : StreamEvents {
public:
    Caller(Network& network, const Address& to, std::string text)
        : text_(std::move(text)), stream_(network.connect(to, *this)) {}

    std::string heard;
    bool ended = false;

private:
    void on_open() override {
        const ByteView bytes = bytes_of(text_);
        std::ignore = stream_->write({&bytes, 1});
    }
    void on_readable() override {
        std::byte room[4096];
        const auto size = stream_->read(room);
        if (size) heard += text_of(ByteView(room, *size));
        ended = ended || !size;
        if (ended) stream_->set_reading(false);
    }
    void on_writable() override {}
    void on_connect_failed(const Error&) override { ended = true; }

    std::string text_;
    std::unique_ptr<Stream> stream_;
};

class HttpServerTest : public testing::Test {
protected:
    void SetUp() override {
        auto made = HttpServer::listen(loop_, Address::ip("127.0.0.1", 0), [this](const WebRequest& request) {
            requests_.push_back(request);
            return answer_;
        });
        ASSERT_TRUE(made);
        server_ = std::move(*made);
    }
    std::string say(std::string text) {
        Caller caller(network_, server_->address(), std::move(text));
        EXPECT_TRUE(loop_.run_until([&] { return caller.ended; }, 30s));
        return caller.heard;
    }

    NullLog log_;
    EventLoop loop_;
    SocketNetwork network_{loop_, log_};
    std::vector<WebRequest> requests_;
    WebAnswer answer_{.type = "text/plain", .body = "hello"};
    std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, AnswersHoweverManyRequestsAreHalfOpen) {
    std::vector<std::unique_ptr<Caller>> half_open;
    for (std::size_t i = 0; i < HttpServer::max_connections.total + 16; ++i)
        half_open.push_back(
            std::make_unique<Caller>(network_, server_->address(), "GET / HTTP/1.1\r\nHost: loc"));
    EXPECT_TRUE(loop_.run_until([&] { return half_open.front()->ended; }, 30s)) << "the oldest makes room";
    EXPECT_THAT(say("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
                AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("hello")));
    EXPECT_FALSE(half_open.back()->ended);
}

TEST_F(HttpServerTest, RefusesAWebSocketWithTheCodeForTryingAgainLater) {
    std::unique_ptr<TextChannel> refused;
    const auto server = HttpServer::listen(
        loop_, Address::ip("127.0.0.1", 0), [](const WebRequest&) { return WebAnswer{.status = 101}; },
        [&](const WebRequest&, std::unique_ptr<TextChannel> channel) {
            refused = std::move(channel);
            refused->refuse("full");
        });
    ASSERT_TRUE(server);
    const Caller caller(network_, (*server)->address(),
                        "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
                        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    EXPECT_TRUE(loop_.run_until([&] { return caller.heard.ends_with("full"); }, 30s));
    // A close frame of six bytes: 1013, and the reason.
    EXPECT_THAT(caller.heard, testing::EndsWith("\x88\x06\x03\xf5"
                                                "full"));
}

TEST_F(HttpServerTest, AnswersAFewRequestsPerTurnHoweverManyAreSentAtOnce) {
    constexpr std::size_t callers = 30;
    constexpr std::size_t requests = 20;  // of each
    std::vector<std::unique_ptr<Caller>> all;
    for (std::size_t i = 0; i < callers; ++i) {
        std::string text;
        for (std::size_t k = 0; k < requests; ++k)
            text += fmt::format("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", i);
        all.push_back(std::make_unique<Caller>(network_, server_->address(), text));
    }
    std::size_t seen = 0;
    std::size_t most_per_turn = 0;
    std::size_t most_of_one_per_turn = 0;
    std::function<void()> turn = [&] {
        std::map<std::string, std::size_t> of_turn;
        for (const std::size_t first = seen; seen < requests_.size(); ++seen) {
            most_per_turn = std::max(most_per_turn, seen + 1 - first);
            most_of_one_per_turn = std::max(most_of_one_per_turn, ++of_turn[requests_[seen].target]);
        }
        loop_.post(turn);
    };
    loop_.post(turn);
    EXPECT_TRUE(loop_.run_until([&] { return seen == callers * requests; }, 30s));
    EXPECT_LE(most_per_turn, static_cast<std::size_t>(HttpServer::requests_per_turn));
    EXPECT_EQ(most_of_one_per_turn, 1U);
}

TEST_F(HttpServerTest, AnswersOneRequestPerConnectionWhileThereAreMany) {
    constexpr std::size_t requests = 20;  // of each
    std::string text;
    for (std::size_t k = 0; k < requests; ++k) text += "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    std::vector<std::unique_ptr<Caller>> all;
    constexpr std::size_t many = HttpServer::max_connections.usual + 20;
    for (std::size_t i = 0; i < many; ++i)
        all.push_back(std::make_unique<Caller>(network_, server_->address(), text));
    const auto is_answered = [](const auto& caller) { return caller->ended; };
    EXPECT_TRUE(loop_.run_until([&] { return std::ranges::count_if(all, is_answered) >= 20; }, 30s));
    EXPECT_LE(requests_.size(), 2 * many);
    EXPECT_THAT(say("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
                StartsWith("HTTP/1.1 200"));
}

TEST_F(HttpServerTest, AnswersACompleteRequestWhileOthersAreHalfOpened) {
    std::vector<std::unique_ptr<Caller>> half_open;
    for (int i = 0; i < 20; ++i) {
        for (std::size_t k = 0; k < HttpServer::max_connections.usual; ++k)
            half_open.push_back(
                std::make_unique<Caller>(network_, server_->address(), "GET / HTTP/1.1\r\nX: "));
        EXPECT_THAT(say("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
                    StartsWith("HTTP/1.1 200"))
            << i;
        half_open.erase(half_open.begin(), half_open.end() - 64);
    }
}

TEST_F(HttpServerTest, LetsAnAnswerReplaceWhatEveryAnswerSays) {
    answer_.fields = {{"Cache-Control", "no-cache"}, {"ETag", "\"1\""}};
    EXPECT_THAT(say("GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nIf-None-Match: \"1\"\r\n"
                    "Connection: close\r\n\r\n"),
                AllOf(HasSubstr("Cache-Control: no-cache\r\n"), HasSubstr("ETag: \"1\""),
                      testing::Not(HasSubstr("no-store"))));
    EXPECT_EQ(requests_.at(0).accept_encoding, "gzip");
    EXPECT_EQ(requests_.at(0).if_none_match, "\"1\"");
}

TEST_F(HttpServerTest, PermitsInlineScriptsInPagesOnly) {
    const std::string request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    answer_.type = "text/html; charset=utf-8";
    EXPECT_THAT(say(request), HasSubstr("script-src 'unsafe-inline'"));
    answer_.type = "text/plain; charset=utf-8";
    EXPECT_THAT(say(request), AllOf(HasSubstr("Content-Security-Policy: default-src 'none'"),
                                    testing::Not(HasSubstr("unsafe-inline"))));
}

TEST_F(HttpServerTest, CarriesRequestAndAnswer) {
    const std::string answer =
        say("POST /A?b=c HTTP/1.1\r\nHost: localhost\r\nOrigin: http://x\r\nSec-Fetch-Site: none\r\n"
            "User-Agent: test\r\nContent-Length: 3\r\nConnection: close\r\n\r\nx=y");
    EXPECT_THAT(answer,
                AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), HasSubstr("Content-Length: 5\r\n"),
                      HasSubstr("Content-Security-Policy: default-src 'none'"), HasSubstr("\r\n\r\nhello")));
    ASSERT_EQ(requests_.size(), 1u);
    EXPECT_EQ(requests_[0].method, "POST");
    EXPECT_EQ(requests_[0].target, "/A?b=c");
    EXPECT_EQ(requests_[0].body, "x=y");
    EXPECT_EQ(requests_[0].host, "localhost");
    EXPECT_EQ(requests_[0].origin, "http://x");
    EXPECT_EQ(requests_[0].fetch_site, "none");
    EXPECT_EQ(requests_[0].user_agent, "test");
}

TEST_F(HttpServerTest, ServesSeveralRequestsOnOneConnection) {
    const std::string answer =
        say("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(requests_.size(), 2u);
    EXPECT_THAT(answer, HasSubstr("hello"));
}

TEST_F(HttpServerTest, TellsTheSizeWithoutTheBodyToHead) {
    const std::string answer = say("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    EXPECT_THAT(answer, HasSubstr("Content-Length: 5\r\n"));
    EXPECT_TRUE(answer.ends_with("\r\n\r\n"));
}

TEST_F(HttpServerTest, RefusesWhatIsTooLargeAndWhatIsNoHttp) {
    EXPECT_THAT(say("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n"), HasSubstr("413"));
    EXPECT_THAT(say("ELKS CAN'T DANCE 2/8/10\r\n\r\n"), StartsWith("HTTP/1.1 400"));
    EXPECT_TRUE(requests_.empty());
}

TEST_F(HttpServerTest, SendsWhatIsLargeFromWhereItStands) {
    const auto file = std::make_shared<const std::string>(8_MiB, 'x');
    const auto made = HttpServer::listen(loop_, Address::ip("127.0.0.1", 0), [&](const WebRequest& request) {
        return web_file(request, "application/octet-stream", bytes_of(*file), file);
    });
    ASSERT_TRUE(made);
    const auto ask = [&](const std::string& fields) {
        Caller caller(network_, (*made)->address(),
                      "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + fields + "\r\n");
        EXPECT_TRUE(loop_.run_until([&] { return caller.ended; }, 30s));
        return caller.heard;
    };
    EXPECT_TRUE(ask("").ends_with("\r\n\r\n" + *file));
    EXPECT_THAT(ask("Range: bytes=2-4\r\n"),
                AllOf(StartsWith("HTTP/1.1 206"), HasSubstr("Content-Range: bytes 2-4/8388608\r\n"),
                      testing::EndsWith("\r\n\r\nxxx")));
    EXPECT_EQ(file.use_count(), 1) << "nothing is kept";
}

TEST_F(HttpServerTest, SaysThatAPortIsTaken) {
    const auto second = HttpServer::listen(loop_, server_->address(), {});
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().message, HasSubstr("cannot listen for HTTP at 127.0.0.1:"));
}

}  // namespace
}  // namespace caribou
