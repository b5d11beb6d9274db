#include <cstddef>
#include <cstdint>

#include "base/check.hpp"
#include "driver/frame.hpp"
#include "driver/frame_checks.hpp"

/// Any bytes as a stream of driver frames. Each is refused with a message or read; what is read can be
/// written and read again with the same result; split or whole, the same messages are read.
namespace {

using namespace caribou;
using namespace caribou::driver;

std::vector<Bytes> messages_in(ByteView stream, std::size_t piece) {
    DriverFrameReader reader;
    std::vector<Bytes> all;
    Hello hello;
    for (std::size_t at = 0; at < stream.size(); at += piece) {
        reader.add(stream.subspan(at, std::min(piece, stream.size() - at)));
        for (;;) {
            const auto message = reader.next();
            if (!message) {
                check(!message.error().message.empty(), "a refusal has a message");
                return all;
            }
            if (!*message) break;
            all.push_back(frame_of(**message));
            if (const auto* greeting = std::get_if<Hello>(&**message); greeting && check_hello(*greeting)) {
                hello = *greeting;
                check(plan_of(hello).sensors.size() == hello.sensors.size(), "each sensor is in the plan");
            }
            if (const auto* state = std::get_if<State>(&**message); state && check_state(*state, hello))
                check(state->switches.size() == switch_count(hello), "a good state has all switches");
        }
    }
    return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ByteView stream = std::as_bytes(std::span(data, size));
    const auto all = messages_in(stream, std::max<std::size_t>(1, size));
    check(messages_in(stream, 3) == all, "a split stream gives the same messages");
    Bytes again;
    for (const Bytes& message : all) append(again, message);
    check(messages_in(again, std::max<std::size_t>(1, again.size())) == all, "what is written is read again");
    return 0;
}
