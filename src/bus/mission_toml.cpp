#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "bus/mission.hpp"

namespace caribou::bus {
namespace {

using Kind = MissionFinding::Kind;

std::size_t line_of(const toml::node& node) { return node.source().begin.line; }

class Reader {
public:
    explicit Reader(std::string path) { mission_.path = std::move(path); }

    Mission read(std::string_view text) {
        const toml::parse_result parsed = toml::parse(text);
        if (!parsed) {
            add_error(parsed.error().source().begin.line, std::string(parsed.error().description()));
            return std::move(mission_);
        }
        for (const auto& [key, node] : parsed.table()) {
            if (const toml::table* table = node.as_table())
                add_block(key.str(), *table);
            else if (const toml::array* array = node.as_array(); array && array->is_array_of_tables())
                for (const toml::node& each : *array) add_block(key.str(), *each.as_table());
            else
                add_setting(mission_.settings, key.str(), node);
        }
        // toml++ sorts by key; people sort by line.
        std::ranges::stable_sort(mission_.settings, {}, &MissionSetting::line);
        std::ranges::stable_sort(mission_.blocks, {}, &MissionBlock::line);
        std::ranges::stable_sort(mission_.findings, {}, &MissionFinding::line);
        return std::move(mission_);
    }

private:
    void add_error(std::size_t line, std::string text) {
        mission_.findings.push_back({Kind::error, line, std::move(text)});
    }

    void add_block(std::string_view name, const toml::table& table) {
        MissionBlock block{.name = std::string(name), .line = line_of(table)};
        for (const auto& [key, node] : table) add_setting(block.settings, key.str(), node);
        std::ranges::stable_sort(block.settings, {}, &MissionSetting::line);
        mission_.blocks.push_back(std::move(block));
    }

    void add_setting(std::vector<MissionSetting>& into, std::string_view key, const toml::node& node) {
        if (const toml::array* array = node.as_array()) {
            for (const toml::node& each : *array) add_value(into, key, each);
            return;
        }
        add_value(into, key, node);
    }

    void add_value(std::vector<MissionSetting>& into, std::string_view key, const toml::node& node) {
        MissionSetting setting{.key = std::string(key), .value = {}, .line = line_of(node)};
        if (const auto* text = node.as_string()) {
            setting.value = text->get();
            setting.spelling = Spelling::text;
        } else if (const auto* flag = node.as_boolean()) {
            setting.value = flag->get() ? "true" : "false";
            setting.spelling = Spelling::boolean;
        } else if (const auto* whole = node.as_integer()) {
            setting.value = fmt::format("{}", whole->get());
            setting.spelling = Spelling::number;
        } else if (const auto* real = node.as_floating_point()) {
            setting.value = fmt::format("{}", real->get());
            setting.spelling = Spelling::number;
        } else {
            add_error(setting.line,
                      fmt::format("{} is a date or too deep; there are texts, numbers, true and false, "
                                  "arrays of them, and tables at the top",
                                  key));
            return;
        }
        into.push_back(std::move(setting));
    }

    Mission mission_;
};

}  // namespace

Mission parse_toml_mission(std::string_view text, std::string path) {
    return Reader(std::move(path)).read(text);
}

}  // namespace caribou::bus
