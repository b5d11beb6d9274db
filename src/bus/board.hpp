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

/// A client's table of all variables of a broker with their latest values, updated from answers to ALL and
/// ALL_SINCE.
class Board {
public:
    struct Row {
        std::string name;
        wire::DataType type = wire::DataType::none;
        double number = -1;
        std::string text{};  ///< for string and binary values
        std::string source{};
        std::string aux{};
        std::string community{};
        /// The broker's uptime at the last write, negative if the write was before the broker's start;
        /// nullopt if never written.
        std::optional<double> written{};
        double rate = 0;  ///< writes per second, as estimated by the broker at the last write

        wire::MessageView value() const;
    };

    /// Applies an answer to ALL or ALL_SINCE received at `now`. Returns false if the broker was restarted
    /// since the previous answer; then all rows were discarded first.
    bool take(const std::vector<wire::Message>& answer, Instant now);
    /// Returns the next request to send: only for variables that have changed, where the broker supports
    /// that.
    std::string request() const;
    /// Makes request() return ALL from now on, for brokers without ALL_SINCE.
    void ask_for_all() { asks_for_all_ = true; }
    void forget();

    /// Returns the rows by name. Pointers to rows are valid until forget().
    const std::map<std::string, Row, std::less<>>& rows() const { return rows_; }
    const Row* find(std::string_view name) const;
    /// Returns the seconds since the variable was written.
    double age(const Row& row, Instant now) const;
    /// Returns the writes per second at `now`: the rate decreases while a variable is not written.
    double rate(const Row& row, Instant now) const;

private:
    void take(const wire::Message& told, bool is_written);

    std::map<std::string, Row, std::less<>> rows_;
    bool asks_for_all_ = false;
    double uptime_ = 0;  ///< of the broker, at told_at_
    Instant told_at_{};
};

}  // namespace caribou::bus
