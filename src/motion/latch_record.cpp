#include "motion/latch_record.hpp"

#include <fmt/format.h>

#include "base/json_node.hpp"
#include "base/toml.hpp"

namespace caribou::motion {
namespace {

std::optional<StopCause> stop_cause_from(std::string_view name) {
    for (int i = 0; i <= static_cast<int>(last_stop_cause); ++i)
        if (to_string(static_cast<StopCause>(i)) == name) return static_cast<StopCause>(i);
    return std::nullopt;
}

}  // namespace

std::string file_text_of(const LatchRecord& record) {
    return fmt::format(
        "# Written by `caribou robot`: whether it is stopped until a person releases it.\n"
        "version = {}\nstopped = {}\ncause = \"{}\"\n",
        LatchRecord::version, record.stop.has_value(), record.stop ? to_string(*record.stop) : "");
}

Result<LatchRecord> latch_record_from(std::string_view file_text) {
    using Kind = JsonNode::Kind;
    const auto root = read_toml(file_text);
    if (!root) return fail(Code::malformed, root.error().message);
    std::optional<double> version;
    std::optional<bool> stopped;
    std::optional<std::string> cause;
    for (const JsonNode& node : root->items) {
        if (node.key == "version" && node.is(Kind::number)) version = node.number;
        if (node.key == "stopped" && node.is(Kind::truth)) stopped = node.truth;
        if (node.key == "cause" && node.is(Kind::text)) cause = node.text;
    }
    if (!version) return fail(Code::malformed, "`version` is missing");
    if (*version > LatchRecord::version)
        return fail(Code::refused,
                    fmt::format("its version is {}, this program reads up to {}; install a newer "
                                "one",
                                *version, LatchRecord::version));
    if (*version != LatchRecord::version)
        return fail(Code::malformed,
                    fmt::format("`version` is {}; expected {}", *version, LatchRecord::version));
    if (!stopped) return fail(Code::malformed, "`stopped` is missing");
    if (!cause) return fail(Code::malformed, "`cause` is missing");
    if (!*stopped && !cause->empty())
        return fail(Code::malformed, "`stopped` is false, but `cause` is set; expected an empty one");
    if (!*stopped) return LatchRecord{};
    // An unknown cause is still a stop.
    return LatchRecord{stop_cause_from(*cause).value_or(StopCause::state_lost)};
}

}  // namespace caribou::motion
