#include "behavior/expression_classes.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "behavior/expression.hpp"

namespace caribou::behavior {
namespace {

using Kind = Parameter::Kind;

/// Parses the text of a parameter, which was checked when the file was read.
Expression checked(const std::string& text) {
    auto parsed = Expression::parse(text);
    check(parsed.has_value(), "an expression was checked when its file was read");
    return std::move(*parsed);
}

/// Holds if the expression is known and true.
class ExpressionCondition final : public Condition {
public:
    explicit ExpressionCondition(const std::string& text) : text_(text), expression_(checked(text)) {}
    std::string describe() const override { return text_; }

protected:
    bool on_evaluate(const Moment& moment) override {
        const auto value = expression_.evaluate(moment.facts);
        const bool* const truth = value ? std::get_if<bool>(&*value) : nullptr;
        return truth && *truth;
    }

private:
    std::string text_;
    Expression expression_;
};

/// Sets a fact to the value that the expression has when it starts. Fails if that is unknown.
class ComputeAction final : public Action {
public:
    ComputeAction(const std::string& text, std::string fact, const Facts& facts, FactChanges& changes)
        : text_(text), expression_(checked(text)), fact_(std::move(fact)), facts_(facts), changes_(changes) {}

    std::string_view name() const override { return "compute"; }
    void start(Instant) override {
        const auto value = expression_.evaluate(facts_);
        is_known_ = value.has_value();
        if (value) changes_.set(fact_, *value);
    }
    std::optional<Outcome> poll(Instant) override {
        return is_known_ ? Outcome::succeeded() : Outcome::failed(fmt::format("`{}` is unknown", text_));
    }
    void cancel() override {}

private:
    std::string text_;
    Expression expression_;
    std::string fact_;
    const Facts& facts_;
    FactChanges& changes_;
    bool is_known_ = false;
};

}  // namespace

void register_expressions(ClassRegistry& registry, const Facts& facts, FactChanges& changes) {
    registry.add(ConditionClass{
        .name = "expr",
        .about = "an expression over facts is known and true",
        .parameters =
            {{.name = "expr", .kind = Kind::expression, .about = "the expression", .required = true}},
        .make = [](const Arguments& arguments) {
            return std::make_unique<ExpressionCondition>(arguments.text("expr"));
        }});
    registry.add(ActionClass{
        .name = "compute",
        .about = "gives a fact the value of an expression, before the next tick; fails if that is unknown",
        .parameters = {{.name = "compute",
                        .kind = Kind::expression,
                        .about = "the expression",
                        .required = true,
                        .of_fact = "to"},
                       {.name = "to",
                        .kind = Kind::fact,
                        .about = "the fact",
                        .required = true,
                        .fact_use = FactUse::sets}},
        .make = [&facts, &changes](const Arguments& arguments) {
            return std::make_unique<ComputeAction>(arguments.text("compute"), arguments.text("to"), facts,
                                                   changes);
        }});
}

}  // namespace caribou::behavior
