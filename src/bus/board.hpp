#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loop/time.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// All variables of a broker with what was last heard of each, fed with the broker's answers.
class Board {
public:
    struct Row {
        std::string name;
        wire::DataType type = wire::DataType::none;
        double number = -1;
        std::string text{};  ///< of a string or binary value
        std::string source{};
        std::string aux{};
        std::string community{};
        /// The broker's uptime then, below 0 if it was before the broker's start; nullopt: never.
        std::optional<double> written{};
        double rate = 0;  ///< writes per second, as the broker estimates them at a write

        wire::MessageView value() const;
    };

    /// An answer to ALL or ALL_SINCE that came now. False: the broker has started anew since the last
    /// one, and all is forgotten.
    bool take(const std::vector<wire::Message>& answer, Instant now);
    /// What to ask next: only what has changed.
    std::string request() const;
    /// From now on ALL is asked for: this broker knows nothing else.
    void ask_for_all() { asks_for_all_ = true; }
    void forget();

    /// By name. Rows stay where they are until forget().
    const std::map<std::string, Row, std::less<>>& rows() const { return rows_; }
    const Row* find(std::string_view name) const;
    /// Since it was written.
    double age(const Row& row, Instant now) const;
    /// Writes per second now: a variable that falls silent slows down.
    double rate(const Row& row, Instant now) const;

private:
    void take(const wire::Message& told, bool is_written);

    std::map<std::string, Row, std::less<>> rows_;
    bool asks_for_all_ = false;
    double uptime_ = 0;  ///< of the broker, at told_at_
    Instant told_at_{};
};

}  // namespace caribou::bus
