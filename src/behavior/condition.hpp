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

/// Hears of every condition, operands included, whose answer changed or was given for the first
/// time since it went live.
class ConditionWitness {
public:
    virtual ~ConditionWitness() = default;
    virtual void condition_changed(const Condition& condition, bool holds) = 0;
};

/// When and with what knowledge a condition is evaluated.
struct Moment {
    Instant now;
    const Facts& facts;
    ConditionWitness* witness = nullptr;  ///< may be null
};

/// A small question with the answer true or false.
///
/// | call     | when                                                                  |
/// |----------|-----------------------------------------------------------------------|
/// | start    | it goes live: its state begins afresh                                 |
/// | evaluate | while live, once per tick. A compound evaluates every operand, once,  |
/// |          | also when the answer is already clear: each one's state advances      |
/// | stop     | it is no longer live                                                  |
///
/// A "wants" condition of a behavior is live while that is in scope and not active, a "cancel"
/// condition while it is active. The engine makes these calls; who owns a condition otherwise
/// (a state machine its transitions) makes them itself.
class Condition {
public:
    virtual ~Condition() = default;

    void start(const Moment& moment);
    bool evaluate(const Moment& moment);
    void stop();

    /// From the next evaluation on this is the answer, whatever the condition would say; none: its own
    /// again. Its state goes on meanwhile as if nothing were.
    void force(std::optional<bool> answer) { forced_ = answer; }
    std::optional<bool> forced() const { return forced_; }

    bool live() const { return live_; }
    /// The last answer since it went live; false before the first.
    bool last() const { return answer_ == Answer::holds; }
    /// Whether it was evaluated since it went live.
    bool answered() const { return answer_ != Answer::none; }

    /// As people would say it: `battery < 20 and not charging`.
    virtual std::string describe() const = 0;
    /// The operand that is to blame for the last answer, or this one.
    virtual const Condition& blame() const { return *this; }
    /// The operands, in order.
    virtual std::vector<Condition*> operands() const { return {}; }

    /// Gives numbers to this one and its operands, from `next` on, each before its operands. A
    /// condition's number names it in differences and recordings. Keeps the description, too.
    void number(std::uint32_t& next);
    std::uint32_t number() const { return number_; }
    /// describe(), kept when the numbers were given: lives as long as the condition.
    const std::string& text() const { return text_; }

protected:
    virtual void on_start(const Moment&) {}
    virtual bool on_evaluate(const Moment& moment) = 0;
    virtual void on_stop() {}

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
