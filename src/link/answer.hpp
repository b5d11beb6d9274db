#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.hpp"

namespace caribou::link {

/// Given by who sends a command; answers carry it back. Unique for its sender.
using CommandId = Id<struct CommandTag>;

/// Every reason for which a command is not carried out. A closed set.
enum class Refusal : std::uint8_t {
    unknown_command,
    bad_argument,
    not_allowed,         ///< the role of who asks is not enough
    no_lease,            ///< somebody else drives
    wrong_mode,          ///< not in this run mode
    wrong_com_mode,      ///< the run mode needs more of the link than there is
    illegal_transition,  ///< from this run mode or movement there is no way to that one
    nothing_would_wake,  ///< a sleep that nothing could end
    stopped,             ///< a full stop is latched: release it first
    unsafe,              ///< motion safety says no
    busy,                ///< in the middle of a power cycle, or no room for one more
    unavailable,         ///< this robot has no such part, or it does not work
    expired,             ///< came too late to be carried out
    failed,              ///< it was tried
};
/// `WRONG_MODE`.
std::string_view to_string(Refusal refusal);
std::optional<Refusal> refusal_from(std::string_view text);

/// Why something is not done, for programs and for people.
struct Objection {
    Refusal refusal;
    std::string text;

    friend bool operator==(const Objection&, const Objection&) = default;
};

/// What becomes of a command. `accepted` is followed by one of the others, which are final.
struct Answer {
    enum class Kind : std::uint8_t { done, accepted, refused };

    CommandId id{};
    Kind kind = Kind::done;
    std::optional<Refusal> refusal{};  ///< if it was refused, and only then
    std::string text{};                ///< for people: why not, or what came of it

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
/// `DONE`, `ACCEPTED`, `WRONG_MODE: sentence`.
std::string to_string(const Answer& answer);

}  // namespace caribou::link
