#include "behavior/act.hpp"

#include <gtest/gtest.h>

#include "behavior/runner.hpp"
#include "behavior/wait_action.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;

/// An action that fails, at its start or later.
class Failing final : public Action {
public:
    explicit Failing(bool at_start) : at_start_(at_start) {}
    std::string_view name() const override { return "failing"; }
    void start(Instant) override {
        if (at_start_) throw std::runtime_error("no motor");
    }
    std::optional<Outcome> poll(Instant) override { return Outcome::failed("blocked"); }
    void cancel() override {}

private:
    bool at_start_;
};

/// Runs the action as base until it ends. Returns its outcome.
std::string outcome_of(std::unique_ptr<Action> action) {
    auto tree = std::make_unique<BehaviorTree>();
    tree->emplace<Act>("act", std::move(action));
    const Facts facts;
    BehaviorRunner runner(std::move(tree), facts);
    EXPECT_TRUE(runner.set_base("act").has_value());
    for (Instant now{}; now < Instant(10s); now += 100ms)
        for (const Change& change : runner.tick(now).changes)
            if (const auto* popped = std::get_if<Popped>(&change))
                return std::string(to_string(popped->outcome)) + ": " + std::string(popped->reason);
    return "never";
}

TEST(Act, EndsAsItsActionDoes) {
    EXPECT_EQ(outcome_of(std::make_unique<WaitAction>(1s)), "succeeded: ");
    EXPECT_EQ(outcome_of(std::make_unique<Failing>(false)), "failed: blocked");
}

TEST(Act, FailsIfItsActionCannotStart) {
    EXPECT_TRUE(outcome_of(std::make_unique<Failing>(true)).starts_with("failed: "));
}

}  // namespace
}  // namespace caribou::behavior
