#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.hpp"

namespace caribou::link {

/// Chosen by the sender of a command, unique per sender; answers carry it back.
using CommandId = Id<struct CommandTag>;

/// Why a command is not executed. A closed set.
enum class Refusal : std::uint8_t {
    unknown_command,
    bad_argument,
    not_allowed,         ///< the peer's role does not permit it
    no_lease,            ///< another peer holds the lease
    wrong_mode,          ///< not permitted in this run mode
    wrong_com_mode,      ///< the run mode requires a better link
    illegal_transition,  ///< no transition from this run mode or movement to the requested one
    nothing_would_wake,  ///< a sleep that no event could end
    stopped,             ///< a full stop is latched and must be released first
    unsafe,              ///< prevented by motion safety
    busy,                ///< power cycle in progress, or too many commands
    unavailable,         ///< this robot has no such part, or it does not work
    expired,             ///< arrived too late to be executed
    failed,              ///< was attempted
};
/// Returns the name in capitals, such as `WRONG_MODE`.
std::string_view to_string(Refusal refusal);
std::optional<Refusal> refusal_from(std::string_view text);

/// Why something is refused: a code for programs and a text for people.
struct Objection {
    Refusal refusal;
    std::string text;

    friend bool operator==(const Objection&, const Objection&) = default;
};

/// The outcome of a command. `accepted` is followed by one of the others, which are final.
struct Answer {
    enum class Kind : std::uint8_t { done, accepted, refused };

    CommandId id{};
    Kind kind = Kind::done;
    std::optional<Refusal> refusal{};  ///< set if and only if the command was refused
    std::string text{};                ///< for people: the reason, or the result

    /// Returns whether no further answer follows.
    bool is_final() const { return kind != Kind::accepted; }

    static Answer done(CommandId id, std::string text = {}) { return {id, Kind::done, {}, std::move(text)}; }
    static Answer accepted(CommandId id, std::string text = {}) {
        return {id, Kind::accepted, {}, std::move(text)};
    }
    static Answer refused(CommandId id, Objection why) {
        return {id, Kind::refused, why.refusal, std::move(why.text)};
    }

    friend bool operator==(const Answer&, const Answer&) = default;
};
/// Returns `DONE`, `ACCEPTED`, `WRONG_MODE: sentence`.
std::string to_string(const Answer& answer);

}  // namespace caribou::link
