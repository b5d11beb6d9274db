#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/nearest.hpp"
#include "base/trimmed.hpp"
#include "bus/mission.hpp"
#include "bus/mission_macros.hpp"

namespace caribou::bus {
namespace {

using Kind = MissionFinding::Kind;

/// Returns the line without its comment, which starts at the first `//` outside of quotes.
std::string_view without_comment(std::string_view line) {
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"') quoted = !quoted;
        if (!quoted && line.substr(i).starts_with("//")) return line.substr(0, i);
    }
    return line;
}

struct Pair {
    std::string_view key;
    std::string_view value;
};
std::optional<Pair> split(std::string_view line) {
    const std::size_t at = line.find('=');
    if (at == std::string_view::npos) return std::nullopt;
    return Pair{trimmed(line.substr(0, at)), trimmed(line.substr(at + 1))};
}

/// Returns the text after `define:`, or nullopt if the line is not a definition.
std::optional<std::string_view> definition_in(std::string_view line) {
    constexpr std::string_view word = "define:";
    if (line.size() < word.size() || !same_key(line.substr(0, word.size()), word)) return std::nullopt;
    return line.substr(word.size());
}

class MoosMissionReader {
public:
    MoosMissionReader(std::string path, const Environment& environment) : macros_(environment) {
        mission_.path = std::move(path);
    }

    Mission read(std::string_view text) {
        // A macro is defined for the whole file, including the lines before its definition.
        each_line(text, [this](std::string_view line) {
            if (const auto definition = definition_in(line)) define(*definition);
        });
        each_line(text, [this](std::string_view line) {
            if (!definition_in(line)) on_line(line);
        });
        if (place_ != Place::outside)
            find(Kind::error, mission_.blocks.back().line,
                 fmt::format("the block of {} has no `{}`", mission_.blocks.back().name,
                             place_ == Place::before_block ? '{' : '}'));
        std::ranges::stable_sort(mission_.findings, {}, &MissionFinding::line);
        return std::move(mission_);
    }

private:
    enum class Place { outside, before_block, in_block };

    void find(Kind kind, std::size_t line, std::string text) {
        mission_.findings.push_back({kind, line, std::move(text)});
    }

    template <class Handler>
    void each_line(std::string_view text, Handler handle) {
        for (line_ = 1; !text.empty(); ++line_) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            const std::string_view line = trimmed(without_comment(text.substr(0, end)));
            if (!line.empty()) handle(line);
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

    void define(std::string_view definition) {
        const auto pair = split(definition);
        if (!pair || pair->key.empty())
            return find(Kind::error, line_, "malformed macro; expected `define: NAME = value`");
        auto value = macros_.expand(pair->value);
        if (!value) return find(Kind::error, line_, value.error().message);
        if (!macros_.define(std::string(pair->key), std::move(*value)))
            find(Kind::warning, line_,
                 fmt::format("{} is already defined; the first definition is used", pair->key));
    }

    void on_line(std::string_view written) {
        if (written.size() > max_mission_line)
            return find(Kind::error, line_,
                        limit_reached("max_mission_line", written.size(), max_mission_line, "characters"));
        const auto expanded = macros_.expand(written);
        if (!expanded) return find(Kind::error, line_, expanded.error().message);
        const std::string_view line = trimmed(*expanded);
        if (line == "{") return open_block();
        if (line == "}") return close_block();
        if (place_ == Place::before_block) {
            find(Kind::error, line_,
                 fmt::format("the block of {} must begin with a `{{` on its own line",
                             mission_.blocks.back().name));
            place_ = Place::in_block;
        }
        const auto pair = split(line);
        if (pair && starts_block(pair->key)) return start_block(pair->value);
        if (!pair || pair->key.empty())
            return find(Kind::warning, line_, fmt::format("`{}` is ignored; expected `key = value`", line));
        if (pair->value.empty())
            return find(Kind::warning, line_, fmt::format("{} has no value and is ignored", pair->key));
        add(*pair);
    }

    /// Reports a misspelled `ProcessConfig`, too.
    bool starts_block(std::string_view key) {
        const std::vector<std::string> words{"ProcessConfig"};
        if (same_key(key, words.front())) return true;
        if (place_ != Place::outside || !nearest(key, words)) return false;
        find(Kind::error, line_, fmt::format("unknown key `{}`; did you mean `ProcessConfig`?", key));
        return true;
    }

    void start_block(std::string_view name) {
        if (name.ends_with('{')) {
            find(Kind::error, line_, "the `{` of a block must be on its own line");
            start_block(trimmed(name.substr(0, name.size() - 1)));
            place_ = Place::in_block;
            return;
        }
        if (place_ == Place::in_block)
            find(Kind::error, line_,
                 fmt::format("the block of {} in line {} is not closed with a `}}`",
                             mission_.blocks.back().name, mission_.blocks.back().line));
        if (name.empty())
            find(Kind::error, line_, "a block needs the name of its program: `ProcessConfig = pName`");
        else if (const MissionBlock* before = mission_.find_block(name))
            find(Kind::warning, line_,
                 fmt::format("{} already has a block in line {}, which is used", name, before->line));
        mission_.blocks.push_back({.name = std::string(name), .line = line_});
        place_ = Place::before_block;
    }

    void open_block() {
        if (place_ != Place::before_block)
            return find(Kind::error, line_, "`{` without a `ProcessConfig = …` before it");
        place_ = Place::in_block;
    }

    void close_block() {
        if (place_ != Place::in_block) find(Kind::error, line_, "`}` without its `{`");
        place_ = Place::outside;
    }

    void add(const Pair& pair) {
        MissionSetting setting{std::string(pair.key), std::string(pair.value), line_};
        if (place_ == Place::in_block) {
            mission_.blocks.back().settings.push_back(std::move(setting));
            return;
        }
        // Like the original, removes the blanks inside, too.
        if (std::erase_if(setting.value, [](char c) { return blanks.contains(c); }) > 0)
            find(Kind::warning, line_,
                 fmt::format("blanks outside of blocks are ignored: {} is `{}`", pair.key, setting.value));
        if (const MissionSetting* before = mission_.find(pair.key))
            find(
                Kind::warning, line_,
                fmt::format("{} is already set in line {}; the first value is used", pair.key, before->line));
        mission_.settings.push_back(std::move(setting));
    }

    MissionMacros macros_;
    Mission mission_;
    Place place_ = Place::outside;
    std::size_t line_ = 1;
};

}  // namespace

Mission parse_moos_mission(std::string_view text, std::string path, const Environment& environment) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    return MoosMissionReader(std::move(path), environment).read(text);
}

}  // namespace caribou::bus
