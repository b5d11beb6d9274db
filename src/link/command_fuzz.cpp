#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "link/command.hpp"

/// Any text as a command. It is refused with a sentence, or it is one that makes sense and is told as a
/// text that reads the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::link;
    const auto command = command_from(text_of(std::as_bytes(std::span(data, size))));
    if (!command) {
        check(!command.error().message.empty(), "what is refused has a reason");
        return 0;
    }
    check(!objection_to(*command), "what was read makes sense");
    check(command_from(to_string(*command)) == *command, "what was told is read as it was");
    return 0;
}
