#include <cstddef>
#include <cstdint>

#include "base/check.hpp"
#include "link/command.hpp"
#include "link/frame_reader.hpp"

/// Arbitrary bytes as a stream of frames. Each frame must be refused with a message or decode to a message
/// that encodes to the same bytes, independent of how the bytes are split.
namespace {

using namespace caribou;
using namespace caribou::link;

Bytes written_again(ByteView stream, std::size_t piece) {
    FrameReader reader;
    Bytes again;
    for (std::size_t at = 0; at < stream.size(); at += piece) {
        reader.add(stream.subspan(at, std::min(piece, stream.size() - at)));
        for (;;) {
            const auto message = reader.next();
            if (!message) {
                check(!message.error().message.empty(), "what is refused has a reason");
                return again;
            }
            if (!*message) break;
            append(again, frame_of(**message));
            if (const auto* command = std::get_if<Command>(&**message)) {
                const auto objection = objection_to(*command);
                check(!objection || !objection->text.empty(), "an objection has a sentence");
                if (!objection) {
                    Command read = command_from(to_string(*command)).value();
                    read.id = command->id;
                    // A full stop is accepted with any arguments, which text does not keep byte by byte.
                    if (command->code == CommandCode::full_stop) read.arguments = command->arguments;
                    check(read == *command, "a command that makes sense reads as it is told");
                }
            }
        }
    }
    return again;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ByteView stream = std::as_bytes(std::span(data, size));
    const Bytes again = written_again(stream, std::max<std::size_t>(1, size));
    check(std::equal(again.begin(), again.end(), stream.begin()), "what was read is written as it was");
    check(written_again(stream, 3) == again, "a split stream gives the same messages");
    return 0;
}
