#include "base/text_fault.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace caribou {
namespace {

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

struct Position {
    std::size_t line;
    std::size_t column;
};

Position position_in(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
    return {1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
            1 + static_cast<std::size_t>(std::ranges::count_if(before.substr(line_begin), begins_character))};
}

}  // namespace

std::string to_string(const TextFault& fault) {
    return fmt::format("{}:{}:{}: {}", fault.file, fault.line, fault.column, fault.message);
}

std::string to_string(std::span<const TextFault> faults) {
    std::string lines;
    for (const TextFault& fault : faults) lines += to_string(fault) + "\n";
    return lines;
}

void FaultList::add(TextPlace place, std::string message) {
    const auto [first, last] = found_.equal_range(place);
    if (std::any_of(first, last, [&](const auto& known) { return known.second == message; })) return;
    if (++count_ <= limit_) found_.emplace(place, std::move(message));
}

std::string FaultList::describe(TextPlace place) const {
    const TextFault at = located(place, "");
    return fmt::format("{}:{}:{}", at.file, at.line, at.column);
}

TextFault FaultList::located(TextPlace place, const std::string& message) const {
    const NamedText& file = files_[place.file];
    const auto [line, column] = position_in(file.text, place.offset);
    return {file.name, line, column, message};
}

std::vector<TextFault> FaultList::take() {
    std::vector<TextFault> faults;
    for (const auto& [place, message] : found_) faults.push_back(located(place, message));
    if (count_ > limit_ && !faults.empty()) {
        TextFault more = faults.back();
        more.message = fmt::format("{} more faults are not shown", count_ - limit_);
        faults.push_back(std::move(more));
    }
    count_ = 0;
    found_.clear();
    return faults;
}

}  // namespace caribou
