#include <array>
#include <memory>
#include <vector>

#include "adapters/openssl/tls_network.hpp"
#include "attacker/attacks.hpp"
#include "base/log.hpp"
#include "link/message.hpp"
#include "link/paired_key.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"
#include "platform/text_file.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;

/// A session of a peer with the role observe.
class Session final : StreamEvents {
public:
    Session(EventLoop& loop, TlsNetwork& network, Address robot, bool floods)
        : network_(network),
          robot_(std::move(robot)),
          floods_(floods),
          redial_(loop.make_timer([this] { dial(); })),
          loop_(loop) {
        for (int i = 0; i < 256; ++i) {
            const Bytes beat = link::frame_of(link::Heartbeat{});
            beats_.insert(beats_.end(), beat.begin(), beat.end());
        }
        dial();
    }

private:
    void dial() { stream_ = network_.connect(robot_, *this); }
    void on_open() override {
        const Bytes hello = link::frame_of(link::Auth{"observer", link::Role::observe, {}});
        const std::array pieces{ByteView(hello)};
        if (!stream_->write(pieces)) return again();
        if (floods_) flood();
    }
    void flood() {
        for (;;) {
            const std::array pieces{ByteView(beats_).subspan(sent_)};
            const auto taken = stream_->write(pieces);
            if (!taken) return again();
            sent_ = (sent_ + *taken) % beats_.size();
            if (sent_ != 0) return;
        }
    }
    void on_readable() override {
        std::array<std::byte, 4096> scratch;
        if (!stream_->read(scratch)) again();
    }
    void on_writable() override {
        if (floods_) flood();
    }
    void on_connect_failed(const Error&) override { again(); }
    void again() {
        sent_ = 0;
        redial_->arm(loop_.clock().now() + 10ms);
    }

    TlsNetwork& network_;
    Address robot_;
    bool floods_;
    Bytes beats_;
    std::size_t sent_ = 0;
    std::unique_ptr<Timer> redial_;
    Loop& loop_;
    std::unique_ptr<Stream> stream_;
};

[[noreturn]] void attack(const std::string& robot, const std::string& key_file, std::size_t count,
                         bool floods) {
    EventLoop loop;
    NullLog log;
    SocketNetwork plain(loop, log);
    const auto key = link::paired_key_from(read_text_file(key_file, 4096).value());
    TlsNetwork network(loop, plain, log, {.own_key = key.value().key});
    std::vector<std::unique_ptr<Session>> sessions;
    for (std::size_t i = 0; i < count; ++i)
        sessions.push_back(std::make_unique<Session>(loop, network, Address::parse(robot).value(), floods));
    for (;;) loop.run();
}

}  // namespace

void flood_robot(const std::string& robot, const std::string& key_file) { attack(robot, key_file, 1, true); }

void hold_sessions(const std::string& robot, const std::string& key_file, std::size_t count) {
    attack(robot, key_file, count, false);
}

}  // namespace caribou::tests
