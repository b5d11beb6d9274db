#include "behavior/wait_until_action.hpp"

namespace caribou::behavior {

std::optional<Outcome> WaitUntilAction::poll(Instant now) {
    if (!condition_->evaluate(moment(now))) return std::nullopt;
    condition_->spend(moment(now));
    condition_->stop();
    return Outcome::succeeded();
}

void register_wait_until(ClassRegistry& registry, const Facts& facts) {
    registry.add(ActionClass{.name = "wait_until",
                             .about = "succeeds as soon as a condition holds",
                             .parameters = {{.name = "wait_until",
                                             .kind = Parameter::Kind::condition,
                                             .about = "the condition",
                                             .required = true}},
                             .make = [&facts](const Arguments& arguments) {
                                 return std::make_unique<WaitUntilAction>(arguments.condition("wait_until"),
                                                                          facts);
                             }});
}

}  // namespace caribou::behavior
