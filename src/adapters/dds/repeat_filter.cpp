#include "adapters/dds/repeat_filter.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace caribou {

std::optional<std::string> RepeatFilter::pass(Instant now, std::string_view message) {
    std::string name;
    std::ranges::copy_if(message, std::back_inserter(name),
                         [](unsigned char c) { return std::isdigit(c) == 0; });
    if (kinds_.size() >= max_kinds && !kinds_.contains(name)) name.clear();
    Kind& kind = kinds_[name];
    if (kind.next != Instant{} && now < kind.next) {
        ++kind.left_out;
        return {};
    }
    const std::size_t left_out = std::exchange(kind.left_out, 0);
    kind.next = now + interval;
    if (left_out == 0) return std::string(message);
    return fmt::format("{} ({} more of the kind since the last one)", message, left_out);
}

}  // namespace caribou
