#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "motion/motion.hpp"

namespace caribou::motion {

/// The stored latch (docs/formats/latch.md).
struct LatchRecord {
    static constexpr int version = 1;
    std::optional<StopCause> stop{};  ///< nullopt: released

    friend bool operator==(const LatchRecord&, const LatchRecord&) = default;
};

/// Returns a text that latch_record_from() accepts.
std::string file_text_of(const LatchRecord& record);
/// Fails with Code::malformed if it is not such a record, and with Code::refused if it was written by a newer
/// version.
Result<LatchRecord> latch_record_from(std::string_view file_text);

}  // namespace caribou::motion
