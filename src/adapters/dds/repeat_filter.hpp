#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "loop/time.hpp"

namespace caribou {

/// Lets messages of each kind pass once per interval, and counts the others. Messages that differ only in
/// their digits are of the same kind.
class RepeatFilter {
public:
    static constexpr Duration interval = std::chrono::minutes(1);
    static constexpr std::size_t max_kinds = 64;  ///< beyond it, all are one kind

    /// Returns the message, with the number of those that were left out before it, or nullopt to leave it
    /// out.
    std::optional<std::string> pass(Instant now, std::string_view message);

private:
    struct Kind {
        Instant next{};
        std::size_t left_out = 0;
    };
    std::map<std::string, Kind> kinds_;
};

}  // namespace caribou
