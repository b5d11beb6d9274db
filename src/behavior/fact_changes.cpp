#include "behavior/fact_changes.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace caribou::behavior {
namespace {

using Kind = Parameter::Kind;

/// Requests a change when it starts. Succeeds in the next tick, when the change has been applied.
class ChangeAction final : public Action {
public:
    ChangeAction(std::string_view name, std::function<void()> change)
        : name_(name), change_(std::move(change)) {}

    std::string_view name() const override { return name_; }
    void start(Instant) override { change_(); }
    std::optional<Outcome> poll(Instant) override { return Outcome::succeeded(); }
    void cancel() override {}

private:
    std::string_view name_;  ///< a literal
    std::function<void()> change_;
};

}  // namespace

void FactChanges::apply_to(Facts& facts, const FactDeclarations& declared) {
    for (Change& change : changes_) {
        if (Value* value = std::get_if<Value>(&change.to)) {
            facts.set(change.fact, std::move(*value));
            continue;
        }
        const Value* known = facts.find(change.fact);
        const double* number = known ? std::get_if<double>(known) : nullptr;
        double sum = (number ? *number : 0) + std::get<Sum>(change.to).difference;
        if (const FactDeclaration* fact = find_fact(declared, change.fact))
            sum = std::clamp(sum, fact->min, fact->max);
        facts.set(change.fact, sum);
    }
    changes_.clear();
}

void register_fact_actions(ClassRegistry& registry, FactChanges& changes) {
    registry.add(ActionClass{.name = "set",
                             .about = "gives a fact a value, before the next tick",
                             .parameters = {{.name = "set",
                                             .kind = Kind::fact,
                                             .about = "the fact",
                                             .required = true,
                                             .fact_use = FactUse::sets},
                                            {.name = "to",
                                             .kind = Kind::value,
                                             .about = "its new value",
                                             .fallback = true,
                                             .of_fact = "set"}},
                             .make = [&changes](const Arguments& arguments) {
                                 return std::make_unique<ChangeAction>(
                                     "set", [&changes, fact = arguments.text("set"),
                                             value = arguments.value("to")] { changes.set(fact, value); });
                             }});
    registry.add(ActionClass{
        .name = "add",
        .about = "adds to a fact that is a number, before the next tick",
        .parameters =
            {{.name = "add", .kind = Kind::number, .about = "how much; may be negative", .required = true},
             {.name = "to",
              .kind = Kind::fact,
              .about = "the fact",
              .required = true,
              .fact_use = FactUse::adds}},
        .make = [&changes](const Arguments& arguments) {
            return std::make_unique<ChangeAction>(
                "add", [&changes, fact = arguments.text("to"), difference = arguments.number("add")] {
                    changes.add(fact, difference);
                });
        }});
}

}  // namespace caribou::behavior
