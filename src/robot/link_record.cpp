#include "robot/link_record.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/json_node.hpp"
#include "base/json_text.hpp"
#include "base/toml.hpp"

namespace caribou::robot {
namespace {

using Kind = JsonNode::Kind;

/// Integers in files are exact up to this.
constexpr double most = 9e15;

}  // namespace

std::string file_text_of(const LinkRecord& record) {
    return fmt::format(
        "# Written by `caribou robot`: the number of its latest start, and the station it belongs to.\n"
        "version = {}\nboot = {}\nstation = {}\n",
        LinkRecord::newest, record.boot, json_quoted(record.station));
}

Result<LinkRecord> link_record_from(std::string_view file_text) {
    const auto root = read_toml(file_text);
    if (!root) return fail(Code::malformed, root.error().message);
    LinkRecord record{.version = 1};
    for (const JsonNode& node : root->items) {
        if (node.key == "version" && node.is(Kind::number)) {
            if (node.number > LinkRecord::newest)
                return fail(Code::refused, fmt::format("its version is {}, this program reads up to {}",
                                                       node.number, LinkRecord::newest));
            record.version = static_cast<int>(node.number);
            continue;
        }
        const bool is_boot = node.key == "boot" && node.is(Kind::number) && node.number >= 0 &&
                             node.number <= most && std::floor(node.number) == node.number;
        const bool is_station = node.key == "station" && node.is(Kind::text);
        if (!is_boot && !is_station)
            return fail(Code::malformed, fmt::format("`{}` is not a key of the link record", node.key));
        if (is_boot) record.boot = static_cast<std::uint64_t>(node.number);
        if (is_station) record.station = node.text;
    }
    return record;
}

LinkRecord next_start(LinkRecord record, double unix_seconds) {
    const auto now = static_cast<std::uint64_t>(std::clamp(unix_seconds, 0.0, most));
    record.boot = std::max(record.boot + 1, now);
    record.version = LinkRecord::newest;
    return record;
}

}  // namespace caribou::robot
