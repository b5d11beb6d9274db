#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.hpp"
#include "motion/latch_record.hpp"

/// Arbitrary text as the file of a latched stop. It must be refused with a message, or parse to a record that
/// is written and parsed to itself. No text without `stopped = false` releases a stop.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::motion;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto record = latch_record_from(text);
    if (!record) {
        check(!record.error().message.empty(), "what is refused has a reason");
        return 0;
    }
    check(latch_record_from(file_text_of(*record)) == *record, "what was written is read");
    check(record->stop || text.find("false") != std::string_view::npos, "a stop is released by `false` only");
    return 0;
}
