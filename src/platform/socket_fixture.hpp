#pragma once

// Shared by the socket tests.

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "loop/network.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou {

/// One end of a stream. Counts its events; reads everything unless configured otherwise.
class StreamEnd final : public StreamEvents {
public:
    void take(std::unique_ptr<Stream> accepted) {
        stream = std::move(accepted);
        stream->attach(*this);
    }
    void send(std::string_view text) const {
        const ByteView piece = bytes_of(text);
        const auto taken = stream->write({&piece, 1});
        ASSERT_TRUE(taken.has_value()) << taken.error().message;
        ASSERT_EQ(*taken, text.size());
    }

    void on_open() override {
        ++opened;
        if (when_open) when_open();
    }
    void on_readable() override {
        ++readable;
        if (when_readable) return when_readable();
        read_some(64UZ * 1024);
    }
    void on_writable() override {
        ++writable;
        if (when_writable) when_writable();
    }
    void on_connect_failed(const Error& why) override { failure = why; }

    void read_some(std::size_t most) {
        std::vector<std::byte> room(most);
        const auto got = stream->read(room);
        if (got)
            received.append(text_of(ByteView(room).first(*got)));
        else {
            end = got.error();
            stream->set_reading(false);
        }
    }

    std::unique_ptr<Stream> stream;
    std::function<void()> when_open, when_readable, when_writable;
    int opened = 0, readable = 0, writable = 0;
    std::string received;
    std::optional<Error> end;
    std::optional<Error> failure;
};

/// A real loop and network. Tests wait for events; the limit only ends a failing test.
class SocketTest : public ::testing::Test {
protected:
    static constexpr Duration limit = std::chrono::seconds(60);

    testing::AssertionResult comes(std::move_only_function<bool() const> condition) {
        if (loop.run_until(condition, limit)) return testing::AssertionSuccess();
        return testing::AssertionFailure() << "did not come within the limit";
    }

    bool has_ipv6() {
        return network.listen(Address::ip("::1", 0), [](std::unique_ptr<Stream>) {}).has_value();
    }

    /// Listens, connects, and waits until both ends are connected.
    void join(const Address& at) {
        auto opened = network.listen(
            at, [this](std::unique_ptr<Stream> accepted) { server.take(std::move(accepted)); });
        ASSERT_TRUE(opened.has_value()) << opened.error().message;
        listener = std::move(*opened);
        client.stream = network.connect(listener->address(), client);
        ASSERT_TRUE(comes([this] { return server.stream != nullptr && client.opened == 1; }));
    }

    EventLoop loop;
    MemoryLog log;
    SocketNetwork network{loop, log};
    std::unique_ptr<Listener> listener;
    StreamEnd client;
    StreamEnd server;
};

inline const Address any_ipv4 = Address::ip("127.0.0.1", 0);
inline const Address any_ipv6 = Address::ip("::1", 0);

}  // namespace caribou
