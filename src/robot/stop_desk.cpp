#include "robot/stop_desk.hpp"

#include <utility>

#include <fmt/format.h>

#include "link/command_table.hpp"

namespace caribou::robot {
namespace {

using link::Answer;
using link::Refusal;

link::Objection outdated() {
    return {Refusal::expired,
            "a full stop was sent or took effect after this release was given; release again"};
}

Answer answer_to_release(link::CommandId id, const motion::StopLatch::Outcome& outcome,
                         const motion::MotionReport& report, bool is_overtaken) {
    if (outcome.in_effect)
        return Answer::done(
            id, outcome.not_stored.empty() ? "" : fmt::format("latch not stored: {}", outcome.not_stored));
    if (is_overtaken) return Answer::refused(id, outdated());
    const bool is_held = report.reasons.contains(motion::MotionReason::emergency_input);
    return Answer::refused(id,
                           {Refusal::failed, is_held ? "it is still stopped: the emergency input is active"
                                                     : "it is still stopped: propulsion does not confirm "
                                                       "the release"});
}

}  // namespace

Answer answer_to_stop(link::CommandId id, const motion::StopLatch::Outcome& outcome,
                      const motion::MotionReport& report) {
    std::string text = "stopped until released";
    if (!outcome.in_effect) {
        using motion::MotionFault;
        const bool is_cut = report.faults.contains(MotionFault::missed_deadlines) &&
                            !report.faults.contains(MotionFault::motors_not_cut);
        if (!is_cut && report.permit.motors)
            return Answer::refused(id, {Refusal::failed,
                                        "propulsion does not confirm the stop, and it is not confirmed that "
                                        "the motors are cut; cut their supply"});
        text += is_cut ? "; propulsion hangs, and the motors are cut"
                       : "; propulsion hangs, and the motors are off";
    }
    if (!outcome.not_stored.empty()) text += "; latch not stored: " + outcome.not_stored;
    return Answer::done(id, std::move(text));
}

std::string describe(const Peer& peer) {
    return fmt::format("{} ({}{}{})", peer.name, link::to_string(peer.role), peer.from.empty() ? "" : ", ",
                       peer.from);
}

StopDesk::StopDesk(Strand& strand, motion::MotionControl& motion, RobotBuffers& buffers,
                   motion::LatchStore& store, Log& log)
    : strand_(strand),
      motion_(motion),
      buffers_(buffers),
      log_(log),
      requests_log_(log, strand.loop().clock(), "full stops"),
      latch_(strand, store,
             [this](const std::string& not_stored) { buffers_.note(LatchStored{not_stored}); }),
      stop_cmd_(strand, RobotBuffers::most_stops, WhenFull::refuse, [this] { on_items(); }),
      proof_(strand.loop().make_timer([this] { prove(); })) {
    buffers_.stop_cmd = &stop_cmd_;
}

void StopDesk::start() {
    strand_.post_here(self_.bind([](StopDesk& desk) { desk.prove(); }));
}

void StopDesk::stop() { proof_->cancel(); }

void StopDesk::prove() {
    const Instant now = strand_.loop().clock().now();
    buffers_.prove_alive(ThreadName::stops, now);
    requests_log_.tick();
    proof_->arm(now + duty_period);
}

void StopDesk::on_items() {
    while (auto item = stop_cmd_.pop()) std::visit([this](const auto& each) { take(each); }, *item);
}

void StopDesk::take(const StopChanged& note) {
    // A release that was submitted before a stop of propulsion itself must not undo it.
    if (note.stop == motion::StopCause::main_silent || note.stop == motion::StopCause::emergency_input ||
        note.stop == motion::StopCause::overload)
        buffers_.mark_stop(strand_.loop().clock());
    if (note.stop && note.stop != motion::StopCause::shutdown)
        log_.warning(fmt::format("stopped until released, by {}", to_string(*note.stop)));
    latch_.on_motion(note.stop);
    buffers_.note(note);
}

void StopDesk::take(const Request& request) {
    switch (book_.open(request)) {
        case AnswerBook::Entry::repeated: return;
        case AnswerBook::Entry::full:
            return request.reply(Answer::refused(
                request.command.id, {Refusal::busy, "stopped, but too many commands wait for an answer"}));
        case AnswerBook::Entry::fresh: break;
    }
    const AnswerBook::Key key = AnswerBook::key_of(request);
    const link::CommandId id = request.command.id;
    if (request.lane == Request::Lane::repeated_datagram)
        return book_.answer(key, Answer::done(id, "stopped before"));
    requests_log_.warning(
        fmt::format("full stop by {}{}", describe(request.peer),
                    request.lane == Request::Lane::datagram ? ", received as a datagram" : ""));
    if (auto objection = link::objection_to(request.command))
        return book_.answer(key, Answer::refused(id, std::move(*objection)));
    latch_.stop(request.stop_cause, [this, key](const motion::StopLatch::Outcome& outcome) {
        book_.answer(key, answer_to_stop({key.second}, outcome, motion_.report()));
    });
}

void StopDesk::finish() {
    strand_.post_here(self_.bind([](StopDesk& desk) { desk.latch_.finish(); }));
}

void StopDesk::release(const Request& request, Answered answered) {
    strand_.post_here(self_.bind([request, answered = std::move(answered)](StopDesk& desk) {
        const link::CommandId id = request.command.id;
        const StopMark before = desk.buffers_.stops.copy();
        if (auto objection = desk.release_now(request))
            return answered(Answer::refused(id, std::move(*objection)));
        desk.latch_.release([&desk, before, request, answered](const motion::StopLatch::Outcome& outcome) {
            if (outcome.in_effect) desk.log_.info("stop released by " + describe(request.peer));
            answered(answer_to_release(request.command.id, outcome, desk.motion_.report(),
                                       desk.buffers_.stops.copy() != before));
        });
    }));
}

std::optional<link::Objection> StopDesk::release_now(const Request& request) {
    // A full stop overtakes the commands before it: on the connection, as a datagram, and on the way here.
    const StationStop newest = buffers_.station_stop.copy();
    const bool is_overtaken = newest.session == request.peer.session && newest.id > request.command.id.value;
    const StopMark mark = buffers_.stops.copy();
    const bool is_older = request.given && *request.given < mark.at;
    if (is_overtaken || is_older || mark.count != request.stops) return outdated();
    motion_.release_stop();
    if (buffers_.stops.copy() == mark) return std::nullopt;
    // Another thread has requested a stop meanwhile, which the release may have ended.
    motion_.full_stop(motion::StopCause::operator_);
    return outdated();
}

}  // namespace caribou::robot
