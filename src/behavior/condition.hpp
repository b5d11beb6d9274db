#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "behavior/facts.hpp"
#include "loop/time.hpp"

namespace caribou::behavior {

class Condition;

/// Notified of every condition, including operands, whose answer changed or was determined for the first time
/// since it became live.
class ConditionWitness {
public:
    virtual ~ConditionWitness() = default;
    virtual void condition_changed(const Condition& condition, bool holds) = 0;
};

/// The time and the facts for an evaluation.
struct Moment {
    Instant now;
    const Facts& facts;
    ConditionWitness* witness = nullptr;  ///< may be null
};

/// A question that is answered with true or false.
///
/// | call     | when                                                                  |
/// |----------|-----------------------------------------------------------------------|
/// | start    | it becomes live: its state is reset                                   |
/// | evaluate | while live, once per tick. A compound evaluates every operand once,   |
/// |          | even if the answer is already known, so that each state advances      |
/// | spend    | its answer, true, has been acted on                                   |
/// | stop     | it is no longer live                                                  |
///
/// A "wants" condition of a behavior is live while the behavior is in scope and not active, a "cancel"
/// condition while it is active. The engine makes these calls; any other owner of a condition (such as a
/// state machine for its transitions) makes them itself.
class Condition {
public:
    virtual ~Condition() = default;

    void start(const Moment& moment);
    /// Returns whether the condition holds, and notifies the witness if the answer changed.
    bool evaluate(const Moment& moment);
    void stop();
    /// Called when its answer has been acted on: the behavior was activated or cancelled, or the transition
    /// was taken. Has no effect unless its last answer is true.
    void spend(const Moment& moment);

    /// Overrides the answer from the next evaluation on; nullopt removes the override. The state of the
    /// condition continues to advance as if there were no override.
    void force(std::optional<bool> answer) { forced_ = answer; }
    std::optional<bool> forced() const { return forced_; }

    bool live() const { return live_; }
    /// Returns the last answer since it became live; false before the first evaluation.
    bool last() const { return answer_ == Answer::holds; }
    /// Returns whether it was evaluated since it became live.
    bool answered() const { return answer_ != Answer::none; }

    /// Returns a description for people, such as `battery < 20 and not charging`.
    virtual std::string describe() const = 0;
    /// Returns the operand that determined the last answer, or this condition.
    virtual const Condition& blame() const { return *this; }
    /// Returns the operands, in order.
    virtual std::vector<Condition*> operands() const { return {}; }

    /// Numbers this condition and its operands, starting at `next`; each condition precedes its operands. The
    /// number identifies a condition in differences and recordings. Also stores the description for text().
    void number(std::uint32_t& next);
    std::uint32_t number() const { return number_; }
    /// Returns describe() as of the time of numbering. Lives as long as the condition.
    const std::string& text() const { return text_; }

protected:
    virtual void on_start(const Moment&) {}
    virtual bool on_evaluate(const Moment& moment) = 0;
    virtual void on_stop() {}
    /// Forwards to the operands, and records what counts from this moment on.
    virtual void on_spend(const Moment&) {}

private:
    enum class Answer : std::uint8_t { none, holds, fails };
    bool live_ = false;
    Answer answer_ = Answer::none;
    std::optional<bool> forced_;
    std::uint32_t number_ = 0;
    std::string text_;
};

using ConditionPtr = std::unique_ptr<Condition>;

}  // namespace caribou::behavior
