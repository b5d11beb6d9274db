#include "station/pending_commands.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "loop/duration_text.hpp"

namespace caribou::station {

using link::Answer;

void PendingCommands::add(link::CommandId id, Instant now, AnswerHandler on_answer) {
    pending_.push_back({id, now + limits_.answer, false, std::move(on_answer)});
}

bool PendingCommands::take(const Answer& answer, Instant now) {
    const auto found = std::ranges::find(pending_, answer.id, &Pending::id);
    if (found == pending_.end() || (found->accepted && !answer.is_final())) return false;
    // A handler may send the next command, so no reference into the table is kept while it runs.
    Pending pending = std::move(*found);
    pending_.erase(found);
    pending.on_answer(answer);
    if (answer.is_final()) return true;
    pending.due = now + limits_.work;
    pending.accepted = true;
    pending_.push_back(std::move(pending));
    return true;
}

void PendingCommands::expire(Instant now) {
    const auto late = std::ranges::stable_partition(pending_, [&](const Pending& p) { return p.due > now; });
    std::vector<Pending> expired(std::move_iterator(late.begin()), std::move_iterator(late.end()));
    pending_.erase(late.begin(), late.end());
    for (Pending& p : expired)
        p.on_answer(Answer::refused(
            p.id,
            {link::Refusal::failed, fmt::format("the robot {}, but did not report a result within {}",
                                                p.accepted ? "accepted it" : "received it",
                                                duration_text(p.accepted ? limits_.work : limits_.answer))}));
}

void PendingCommands::refuse_all(const link::Objection& why,
                                 const std::function<bool(link::CommandId)>& keeps) {
    const auto refused =
        std::ranges::stable_partition(pending_, [&](const Pending& p) { return keeps(p.id); });
    std::vector<Pending> gone(std::move_iterator(refused.begin()), std::move_iterator(refused.end()));
    pending_.erase(refused.begin(), refused.end());
    for (Pending& p : gone) p.on_answer(Answer::refused(p.id, why));
}

}  // namespace caribou::station
