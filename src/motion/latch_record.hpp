#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "motion/motion.hpp"

namespace caribou::motion {

/// The latched full stop as it is stored (docs/formats/latch.md).
struct LatchRecord {
    static constexpr int version = 1;
    std::optional<StopCause> stop{};  ///< none: released

    friend bool operator==(const LatchRecord&, const LatchRecord&) = default;
};

std::string file_text_of(const LatchRecord& record);
/// Code::malformed: not such a record. Code::refused: written by a newer version of the program.
Result<LatchRecord> latch_record_from(std::string_view file_text);

}  // namespace caribou::motion
