#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.hpp"
#include "negotiation/bus_note.hpp"

using namespace caribou;
using namespace caribou::negotiation;

/// Every note that can be parsed is formatted so that it parses to the same value again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto note = parse_writer_note(text))
        check(parse_writer_note(to_text(*note)) == *note, "a writer's note survives");
    if (const auto note = parse_reader_note(text))
        check(parse_reader_note(to_text(*note)) == *note, "a reader's note survives");
    return 0;
}
