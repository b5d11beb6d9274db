// Arbitrary bytes as session messages to a transport with a reader and a writer: each message is accepted or
// rejected, and an accepted one encodes to the same bytes again.

#include <cstdint>
#include <span>

#include "base/check.hpp"
#include "loop/virtual_loop.hpp"
#include "negotiation/session_message.hpp"
#include "negotiation/session_transport.hpp"

namespace {

using namespace caribou;
using namespace caribou::negotiation;

struct Ear final : ReaderEvents, WriterEvents, SessionSender {
    void on_sample(const Peer&, const Sample& sample) override { static_cast<void>(sample.bytes()); }
    bool send(Kind, ByteView message) override {
        check(decode_session_message(message).has_value(), "what is sent makes sense");
        return true;
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ByteView input = std::as_bytes(std::span(data, size));
    VirtualLoop loop;
    SessionTransport transport(loop);
    Ear ear;
    const Topic topic{"/a", "b"};
    const auto reader = transport.subscribe(topic, {}, ear);
    const auto writer = transport.advertise(topic, {}, ear);
    const auto session = transport.join("other", ear);
    // Each message is preceded by its length.
    while (!input.empty()) {
        const auto length = std::min<std::size_t>(static_cast<std::size_t>(input[0]), input.size() - 1);
        const ByteView bytes = input.subspan(1, length);
        input = input.subspan(1 + length);
        if (const auto message = decode_session_message(bytes)) {
            const Bytes again = encode(*message);
            check(text_of(again) == text_of(bytes), "there is one way to write a message");
        }
        if (!session->receive(bytes)) break;
        loop.advance(std::chrono::milliseconds(1));
    }
    return 0;
}
