#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "link/command.hpp"

/// Arbitrary text as a command. It must be refused with a message, or be a valid command whose text form
/// parses to the same command.
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
