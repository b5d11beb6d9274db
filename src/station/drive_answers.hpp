#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "data/answer_message.hpp"
#include "link/command.hpp"
#include "loop/time.hpp"

namespace caribou::station {

/// The answers to what a person has sent from the keyboard. A refusal is kept although the halts and renewals
/// of a held key are answered right after it.
class DriveAnswers {
public:
    struct Refused {
        std::string command;  ///< `MOVE_FW_2`, `take_lease`
        std::string why;      ///< `NO_LEASE: page#9 drives; take_lease takes over`
        Instant at;           ///< when it was last refused
    };

    /// A command was sent with this id.
    void sent(std::uint64_t id, const link::Command& command);
    /// Processes an answer, which arrived at `now`.
    void take(const data::AnswerMessage& answer, Instant now);

    /// Returns the latest answer as text; empty if there is none. While a full stop waits for its answer,
    /// says so.
    const std::string& latest() const { return unanswered_stop_ ? stop_not_confirmed_ : latest_; }
    /// Returns the latest refusal until a command succeeds: for a full stop, a full stop or its release; else
    /// any command except a halt.
    const std::optional<Refused>& refused() const { return refused_; }

private:
    bool settles(const link::Command& done) const;

    static constexpr std::size_t most_pending = 64;

    std::map<std::uint64_t, link::Command> pending_;  ///< by id
    std::optional<std::uint64_t> unanswered_stop_;    ///< the latest one
    std::string stop_not_confirmed_ = "full_stop was sent, and is NOT CONFIRMED yet";
    std::string latest_;
    std::optional<Refused> refused_;
    link::CommandCode refused_code_{};
};

}  // namespace caribou::station
