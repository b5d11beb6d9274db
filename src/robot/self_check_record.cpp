#include "robot/self_check_record.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json_node.hpp"
#include "base/json_text.hpp"
#include "base/toml.hpp"

namespace caribou::robot {
namespace {

constexpr std::size_t digest_size = 64;

bool is_digest(std::string_view text) {
    return text.size() == digest_size && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

std::string file_text_of(const SelfCheckRecord& record) {
    std::string items;
    for (const std::string& item : record.items) items += fmt::format("  {},\n", json_quoted(item));
    return fmt::format(
        "# Written by `caribou robot --self-check`. Without it the robot refuses RM2 and RM3.\n"
        "version = {}\npassed = {}\nbody = {}\nprogram = {}\nat = {}\nitems = [\n{}]\n",
        SelfCheckRecord::version, record.passed, json_quoted(record.body), json_quoted(record.program),
        json_quoted(record.at), items);
}

Result<SelfCheckRecord> self_check_record_from(std::string_view file_text) {
    using Kind = JsonNode::Kind;
    const auto root = read_toml(file_text);
    if (!root) return fail(Code::malformed, root.error().message);
    SelfCheckRecord record;
    std::optional<double> version;
    std::optional<bool> passed;
    for (const JsonNode& node : root->items) {
        if (node.key == "version" && node.is(Kind::number)) version = node.number;
        if (node.key == "passed" && node.is(Kind::truth)) passed = node.truth;
        if (node.key == "body" && node.is(Kind::text)) record.body = node.text;
        if (node.key == "program" && node.is(Kind::text)) record.program = node.text;
        if (node.key == "at" && node.is(Kind::text)) record.at = node.text;
        if (node.key == "items" && node.is(Kind::list))
            for (const JsonNode& item : node.items)
                if (item.is(Kind::text)) record.items.push_back(item.text);
    }
    if (!version) return fail(Code::malformed, "`version` is missing");
    if (*version > SelfCheckRecord::version)
        return fail(Code::refused, fmt::format("its version is {}, this program reads up to {}; install a "
                                               "newer one, or repeat the self-check",
                                               *version, SelfCheckRecord::version));
    if (*version != SelfCheckRecord::version)
        return fail(Code::malformed, fmt::format("there is no version {}", *version));
    if (!passed) return fail(Code::malformed, "`passed` is missing");
    if (!is_digest(record.body)) return fail(Code::malformed, "`body` is not a digest of 64 digits");
    record.passed = *passed;
    return record;
}

}  // namespace caribou::robot
