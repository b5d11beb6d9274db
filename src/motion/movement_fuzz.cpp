// Arbitrary text: must parse to a movement whose text form parses to itself, or fail with an error that names
// a position in it.
#include <cstddef>
#include <cstdint>

#include "base/check.hpp"
#include "motion/movement.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): the fuzzer calls it so
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using caribou::motion::MovementCommand;
    const std::string text(data, data + size);
    const auto command = MovementCommand::parse(text);
    if (command)
        caribou::check(MovementCommand::parse(to_string(*command)) == command, "a command reads back");
    else
        caribou::check(command.error().message.contains("position "), "a refusal names the position");
    return 0;
}
