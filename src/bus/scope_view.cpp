#include "bus/scope_view.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "bus/wildcard.hpp"

namespace caribou::bus {
namespace {

constexpr std::string_view escape = "\x1b";

/// Removes and returns one key from the input: a character, or a terminal's escape sequence for an arrow or
/// similar key.
std::string_view take_key(std::string_view& keys) {
    std::size_t size = 1;
    if (keys.starts_with("\x1b[") || keys.starts_with("\x1bO")) {
        size = 2;
        while (size < keys.size() && (keys[size] < '@' || keys[size] > '~')) ++size;
        size = std::min(size + 1, keys.size());
    }
    const std::string_view key = keys.substr(0, size);
    keys.remove_prefix(size);
    return key;
}

bool is_one_of(std::string_view key, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, key) != names.end();
}

}  // namespace

std::string_view to_string(ScopeSort sort) {
    constexpr std::array<std::string_view, 4> names{"name", "age", "rate", "source"};
    return names[static_cast<std::size_t>(sort)];
}

Result<std::pair<std::string, int>> parse_scope_color(std::string_view text) {
    static const std::vector<std::string> colors{"black", "red",     "green", "yellow",
                                                 "blue",  "magenta", "cyan",  "white"};
    constexpr int first_code = 30;
    const std::size_t at = std::min(text.find_first_of("=,"), text.size());
    const std::string color(text.substr(std::min(at + 1, text.size())));
    const auto found = std::ranges::find(colors, color);
    if (at == 0 || found == colors.end())
        return fail(Code::invalid_argument,
                    fmt::format("`{}` is not VAR=COLOR; the colors are {}", text, listed(colors)));
    return std::pair(std::string(text.substr(0, at)), first_code + static_cast<int>(found - colors.begin()));
}

bool ScopeView::press(std::string_view keys) {
    while (!keys.empty())
        if (!press_one(take_key(keys))) return false;
    return true;
}

bool ScopeView::press_one(std::string_view key) {
    message_.clear();
    if (typing_) {
        type(key);
        return true;
    }
    if (poking_) {
        type_poke(key);
        return true;
    }
    if (std::exchange(helping_, false)) return true;
    if (key == "q") return false;
    if (key == "?") {
        helping_ = true;
        return true;
    }
    if (key == "p") {
        poking_ = (open_.empty() ? at_ : open_) + "=";
        return true;
    }
    if (!open_.empty()) {
        if (is_one_of(key, {escape, "\r", "\n", "\x7f", "\b", "\x1b[D"})) open_.clear();
        return true;
    }
    const auto page = static_cast<std::ptrdiff_t>(page_);
    if (key == "/") {
        typing_ = true;
    } else if (key == escape) {
        options_.filter.clear();
    } else if (key == "s") {
        options_.sort = static_cast<ScopeSort>((static_cast<int>(options_.sort) + 1) % 4);
    } else if (key == "r") {
        options_.reverse = !options_.reverse;
    } else if (key == " ") {
        paused_ = !paused_;
    } else if (is_one_of(key, {"j", "\x1b[B", "\x1bOB"})) {
        move(1);
    } else if (is_one_of(key, {"k", "\x1b[A", "\x1bOA"})) {
        move(-1);
    } else if (key == "\x1b[6~") {
        move(page);
    } else if (key == "\x1b[5~") {
        move(-page);
    } else if (is_one_of(key, {"g", "\x1b[H", "\x1b[1~"})) {
        move(-static_cast<std::ptrdiff_t>(rows_.size()));
    } else if (is_one_of(key, {"G", "\x1b[F", "\x1b[4~"})) {
        move(static_cast<std::ptrdiff_t>(rows_.size()));
    } else if (is_one_of(key, {"\r", "\n", "\x1b[C"}) && !at_.empty()) {
        open_ = at_;
        history_.clear();
    }
    return true;
}

void ScopeView::type(std::string_view key) {
    if (is_one_of(key, {"\r", "\n"})) {
        typing_ = false;
    } else if (key == escape) {
        typing_ = false;
        options_.filter.clear();
    } else if (is_one_of(key, {"\x7f", "\b"})) {
        if (!options_.filter.empty()) options_.filter.pop_back();
    } else if (key.size() == 1 && static_cast<unsigned char>(key[0]) >= 0x20) {
        options_.filter += key;
    }
}

void ScopeView::type_poke(std::string_view key) {
    if (is_one_of(key, {"\r", "\n"})) {
        typed_poke_ = std::exchange(poking_, std::nullopt);
    } else if (key == escape) {
        poking_.reset();
    } else if (is_one_of(key, {"\x7f", "\b"})) {
        if (!poking_->empty()) poking_->pop_back();
    } else if (key.size() == 1 && static_cast<unsigned char>(key[0]) >= 0x20) {
        *poking_ += key;
    }
}

void ScopeView::move(std::ptrdiff_t by) {
    if (rows_.empty()) return;
    const auto last = static_cast<std::ptrdiff_t>(rows_.size()) - 1;
    cursor_ = static_cast<std::size_t>(
        std::clamp(static_cast<std::ptrdiff_t>(cursor_) + by, std::ptrdiff_t{0}, last));
    at_ = rows_[cursor_]->name;
}

bool ScopeView::passes(const Board::Row& row) const {
    const auto wrote = [&](const std::string& pattern) { return glob_matches(pattern, row.source); };
    if (!options_.sources.empty() && std::ranges::none_of(options_.sources, wrote)) return false;
    bool has_word = false;
    for (std::string_view rest = options_.filter; !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        if (word.empty()) continue;
        has_word = true;
        if (is_pattern(word) ? glob_matches(word, row.name) : row.name.contains(word)) return true;
    }
    return !has_word;
}

void ScopeView::arrange(const Board& board, Instant now, std::size_t page) {
    page_ = std::max<std::size_t>(page, 1);
    rows_.clear();
    for (const auto& [name, row] : board.rows())
        if (passes(row)) rows_.push_back(&row);
    // The rows are sorted by name already; the sort is stable.
    switch (options_.sort) {
        case ScopeSort::name: break;
        case ScopeSort::age: std::ranges::stable_sort(rows_, std::greater{}, &Board::Row::written); break;
        case ScopeSort::rate:
            std::ranges::stable_sort(rows_, std::greater{},
                                     [&](const Board::Row* row) { return board.rate(*row, now); });
            break;
        case ScopeSort::source: std::ranges::stable_sort(rows_, {}, &Board::Row::source); break;
    }
    if (options_.reverse) std::ranges::reverse(rows_);
    const auto found = std::ranges::find(rows_, at_, &Board::Row::name);
    if (found != rows_.end()) cursor_ = static_cast<std::size_t>(found - rows_.begin());
    cursor_ = std::min(cursor_, rows_.empty() ? 0 : rows_.size() - 1);
    at_ = rows_.empty() ? "" : rows_[cursor_]->name;
    if (cursor_ < top_) top_ = cursor_;
    if (cursor_ >= top_ + page_) top_ = cursor_ - page_ + 1;
    top_ = std::min(top_, rows_.size() > page_ ? rows_.size() - page_ : 0);
}

void ScopeView::add(ScopeSample sample) {
    history_.push_back(std::move(sample));
    if (history_.size() > history_length) history_.pop_front();
}

}  // namespace caribou::bus
