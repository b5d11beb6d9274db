#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.hpp"
#include "data/answer_kind.hpp"
#include "data/refusal.hpp"

namespace caribou::link {

/// Chosen by the sender of a command, unique per sender; answers carry it back.
using CommandId = Id<struct CommandTag>;

using data::Refusal;
using data::to_string;

std::optional<Refusal> refusal_from(std::string_view text);

/// Why something is refused: a code for programs and a text for people.
struct Objection {
    Refusal refusal;
    std::string text;

    friend bool operator==(const Objection&, const Objection&) = default;
};

/// The outcome of a command. `accepted` is followed by one of the others, which are final.
struct Answer {
    using Kind = data::AnswerKind;

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
