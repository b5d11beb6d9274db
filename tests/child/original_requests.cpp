#include "child/original_requests.hpp"

#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/limits.hpp"
#include "wire/codec.hpp"
#include "wire/packet_reader.hpp"

namespace caribou::tests {
namespace {

bool is_known_to_the_original(const wire::Message& message) {
    return message.type != wire::MessageType::server_request ||
           (!message.key.starts_with("ALL_SINCE") && message.key != "CLIENT_SUMMARY");
}

/// One end of a relay. Buffers bytes that the network does not accept at once.
class RelayEnd final : public StreamEvents {
public:
    void write(ByteView bytes) {
        append(waiting_, bytes);
        on_writable();
    }
    void on_open() override { on_writable(); }
    void on_readable() override {
        std::array<std::byte, 65536> room;
        const auto size = stream->read(room);
        if (size) return on_bytes(ByteView(room).first(*size));
        stream->set_reading(false);
        on_end();
    }
    void on_writable() override {
        const ByteView all = waiting_;
        if (!stream || all.empty()) return;
        const auto taken = stream->write({&all, 1}).value_or(all.size());
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(taken));
    }

    std::unique_ptr<Stream> stream;
    std::function<void(ByteView)> on_bytes;
    std::function<void()> on_end;

private:
    Bytes waiting_;
};

}  // namespace

class OriginalRequests::Relay {
public:
    Relay(Network& network, const Address& broker, std::unique_ptr<Stream> accepted) {
        tool_.on_bytes = [this](ByteView bytes) { from_tool(bytes); };
        tool_.on_end = [this] { broker_.stream.reset(); };
        broker_.on_bytes = [this](ByteView bytes) { tool_.write(bytes); };
        broker_.on_end = [this] { tool_.stream.reset(); };
        broker_.stream = network.connect(broker, broker_);
        tool_.stream = std::move(accepted);
        tool_.stream->attach(tool_);
    }

private:
    void from_tool(ByteView bytes) {
        append(partial_, bytes);
        ByteView rest = partial_;
        if (!greeted_ && rest.size() >= wire::greeting_size) {
            broker_.write(rest.first(wire::greeting_size));
            rest = rest.subspan(wire::greeting_size);
            greeted_ = true;
        }
        using Kind = wire::PacketReader::Step::Kind;
        while (greeted_) {
            const auto step = reader_.next(rest);
            check(step.has_value(), "tools write what can be read");
            if (step->kind == Kind::message && is_known_to_the_original(wire::own(step->message)))
                packet_.push_back(wire::own(step->message));
            rest = rest.subspan(step->consumed);
            if (step->kind == Kind::need_more) break;
            if (step->kind == Kind::packet_end && !packet_.empty())
                broker_.write(wire::encode_packet(std::exchange(packet_, {})));
        }
        partial_ = Bytes(rest.begin(), rest.end());
    }

    RelayEnd tool_;
    RelayEnd broker_;
    bool greeted_ = false;
    Bytes partial_;
    wire::PacketReader reader_{64_MiB};
    std::vector<wire::Message> packet_;
};

OriginalRequests::OriginalRequests(const std::string& broker)
    : broker_(Address::parse("127.0.0.1:" + broker).value()) {
    auto listening = network_.listen(Address::ip("127.0.0.1", 0), [this](std::unique_ptr<Stream> stream) {
        relays_.push_back(std::make_unique<Relay>(network_, broker_, std::move(stream)));
    });
    check(listening.has_value(), "a port is free");
    listener_ = std::move(*listening);
}

OriginalRequests::~OriginalRequests() = default;

std::optional<ChildProcess::End> OriginalRequests::relay_until_end(ChildProcess& program, Duration limit) {
    std::optional<ChildProcess::End> end;
    std::unique_ptr<Timer> look;
    look = loop_.make_timer([&] { look->arm(loop_.clock().now() + std::chrono::milliseconds(20)); });
    look->arm(loop_.clock().now());
    loop_.run_until([&] { return end || (end = program.wait(Duration::zero())); }, limit);
    return end;
}

}  // namespace caribou::tests
