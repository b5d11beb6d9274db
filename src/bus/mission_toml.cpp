#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/toml.hpp"
#include "bus/mission.hpp"

namespace caribou::bus {
namespace {

bool is_list_of_tables(const JsonNode& node) {
    return node.is(JsonNode::Kind::list) && !node.items.empty() &&
           std::ranges::all_of(node.items,
                               [](const JsonNode& item) { return item.is(JsonNode::Kind::object); });
}

class TomlMissionReader {
public:
    TomlMissionReader(std::string_view text, std::string path) : text_(text) {
        mission_.path = std::move(path);
    }

    Mission read() {
        const auto root = read_toml(text_);
        if (!root) {
            add_error(line_of(root.error().offset), root.error().message);
            return std::move(mission_);
        }
        for (const JsonNode& node : root->items) {
            if (node.is(JsonNode::Kind::object))
                add_block(node.key, node);
            else if (is_list_of_tables(node))
                for (const JsonNode& each : node.items) add_block(node.key, each);
            else
                add_setting(mission_.settings, node);
        }
        std::ranges::stable_sort(mission_.blocks, {}, &MissionBlock::line);
        return std::move(mission_);
    }

private:
    std::size_t line_of(std::size_t offset) const {
        return 1 + static_cast<std::size_t>(std::ranges::count(text_.substr(0, offset), '\n'));
    }

    void add_error(std::size_t line, std::string text) {
        mission_.findings.push_back({MissionFinding::Kind::error, line, std::move(text)});
    }

    void add_block(const std::string& name, const JsonNode& table) {
        MissionBlock block{.name = name, .line = line_of(table.offset)};
        for (const JsonNode& node : table.items) add_setting(block.settings, node);
        mission_.blocks.push_back(std::move(block));
    }

    void add_setting(std::vector<MissionSetting>& into, const JsonNode& node) {
        if (!node.is(JsonNode::Kind::list)) return add_value(into, node.key, node);
        for (const JsonNode& each : node.items) add_value(into, node.key, each);
    }

    void add_value(std::vector<MissionSetting>& into, const std::string& key, const JsonNode& node) {
        MissionSetting setting{.key = key, .value = {}, .line = line_of(node.offset)};
        if (node.is(JsonNode::Kind::text)) {
            setting.value = node.text;
            setting.spelling = Spelling::text;
        } else if (node.is(JsonNode::Kind::truth)) {
            setting.value = node.truth ? "true" : "false";
            setting.spelling = Spelling::boolean;
        } else if (node.is(JsonNode::Kind::number)) {
            setting.value = fmt::format("{}", node.number);
            setting.spelling = Spelling::number;
        } else {
            return add_error(
                setting.line,
                fmt::format("{} is a date or nested too deeply; expected a string, number, boolean, array of "
                            "them, or a table at the top level",
                            key));
        }
        into.push_back(std::move(setting));
    }

    std::string_view text_;
    Mission mission_;
};

}  // namespace

Mission parse_toml_mission(std::string_view text, std::string path) {
    return TomlMissionReader(text, std::move(path)).read();
}

}  // namespace caribou::bus
