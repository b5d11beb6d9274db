// Arbitrary bytes from a broker, split arbitrarily, must lead to mail or to a reconnect.

#include <array>
#include <cstdint>

#include "base/check.hpp"
#include "bus/client.hpp"
#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou::bus {
namespace {

/// Sends the input once, then only reads.
class FuzzBroker final : StreamEvents {
public:
    FuzzBroker(std::unique_ptr<Stream> stream, ByteView input) : stream_(std::move(stream)) {
        stream_->attach(*this);
        const std::array pieces{input};
        check(stream_->write(pieces).has_value(), "a fresh stream takes bytes");
    }

private:
    void on_writable() override {}
    void on_readable() override {
        std::array<std::byte, 4096> room;
        if (!stream_->read(room)) stream_.reset();
    }

    std::unique_ptr<Stream> stream_;
};

}  // namespace
}  // namespace caribou::bus

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::bus;
    if (size == 0) return 0;
    // The first byte selects mode and splitting; the rest is the broker's output.
    const bool synchronous = (data[0] & 1) != 0;
    const ByteView input = std::as_bytes(std::span(data + 1, size - 1));
    VirtualLoop loop;
    MemoryNetwork network(loop, data[0], {.split_reads = (data[0] & 2) != 0, .stream_buffer = 1_MiB});
    std::vector<std::unique_ptr<FuzzBroker>> brokers;
    const auto listener = network.listen(Address::ip("127.0.0.1", 9000), [&](std::unique_ptr<Stream> stream) {
        brokers.push_back(std::make_unique<FuzzBroker>(std::move(stream), input));
    });
    Client client(loop, network,
                  {.name = "fuzz",
                   .mode = synchronous ? CommsMode::synchronous : CommsMode::asynchronous,
                   .inbox = {.messages = 16, .bytes = 4_KiB},
                   .max_message = 64_KiB});
    client.on_connected([&] {
        static_cast<void>(client.server_request("ALL", [](auto) {}));
        static_cast<void>(client.notify("X", 1));
    });
    client.on_mail("STOP", [&](const wire::MessageView&) { client.stop(); });
    check(client.register_variable("A").has_value() && client.start().has_value(), "the client starts");
    loop.advance(std::chrono::seconds(3));
    check(client.general_queue().size() <= 16, "a queue is bounded");
    static_cast<void>(client.fetch());
    return 0;
}
