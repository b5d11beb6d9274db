#include "robot/program_classes.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "behavior/entry_parameters.hpp"

namespace caribou::robot {
namespace {

using behavior::Arguments;
using behavior::Control;
using behavior::Outcome;
using behavior::Parameter;
using data::ProgramCallKind;
using data::ProgramPartKind;
using data::ProgramRequestKind;
using SharedProgram = std::shared_ptr<BehaviorProgram>;

data::ProgramOutcome to_program_outcome(Outcome::Kind kind) {
    if (kind == Outcome::Kind::succeeded) return data::ProgramOutcome::succeeded;
    return kind == Outcome::Kind::failed ? data::ProgramOutcome::failed : data::ProgramOutcome::cancelled;
}

Outcome outcome_of(const data::ProgramRequest& request) {
    if (request.outcome == data::ProgramOutcome::succeeded) return Outcome::succeeded();
    if (request.outcome == data::ProgramOutcome::cancelled) return Outcome::cancelled(request.text);
    return Outcome::failed(request.text.empty() ? "it gave no reason" : request.text);
}

/// The part of a behavior, action or condition in its program.
class ProgramLink {
public:
    ProgramLink(SharedProgram program, data::ProgramObject object)
        : program_(std::move(program)), class_name_(object.class_name) {
        if (program_) number_ = program_->enlist(std::move(object));
    }
    ~ProgramLink() {
        if (program_) program_->delist(number_);
    }
    ProgramLink(const ProgramLink&) = delete;
    ProgramLink& operator=(const ProgramLink&) = delete;

    const std::string& class_name() const { return class_name_; }
    bool is_live() const { return program_ != nullptr; }
    BehaviorProgram& program() const { return *program_; }
    std::uint32_t run() const { return run_; }
    /// Returns why it cannot go on: its process has ended or hangs. Empty if it can.
    std::string trouble() const {
        if (program_->process_number() != process_) return program_->name() + " was started again";
        return program_->lasting_trouble();
    }

    void set_in_scope(bool is) const {
        if (program_) program_->set_in_scope(number_, is);
    }
    void begin() {
        ++run_;
        process_ = program_->process_number();
        call(ProgramCallKind::activated);
    }
    void call(ProgramCallKind kind) const { program_->call({.object = number_, .kind = kind, .run = run_}); }
    void tell_end(std::uint32_t request, const Outcome& outcome) const {
        program_->call({.object = number_,
                        .kind = ProgramCallKind::ended,
                        .run = run_,
                        .request = request,
                        .outcome = to_program_outcome(outcome.kind()),
                        .reason = outcome.reason()});
    }
    const data::ProgramAnswer* answer() const { return program_->answer(number_); }
    std::vector<data::ProgramRequest> take_requests() const { return program_->take_requests(number_, run_); }

private:
    SharedProgram program_;
    std::string class_name_;
    std::uint32_t number_ = 0;
    std::uint32_t run_ = 0;
    std::uint64_t process_ = 0;  ///< in which this run has begun
};

class ProgramBehavior final : public behavior::Behavior {
public:
    ProgramBehavior(std::string id, SharedProgram program, data::ProgramObject object)
        : Behavior(std::move(id)), program_(std::move(program)), object_(std::move(object)) {}
    /// Must be called before its init.
    void add(Behavior& child) {
        children_.push_back(&child);
        object_.children.push_back(child.id());
    }
    void get_all_delegates(behavior::DelegateSet& delegates) const override {
        for (Behavior* const child : children_) delegates.insert(*child);
    }

protected:
    void init(const behavior::View&) override { link_.emplace(program_, object_); }
    void on_entered_activatable_scope(behavior::Scope& scope) override {
        link_->set_in_scope(true);
        entered_ = scope.now();
    }
    void on_left_activatable_scope(const behavior::View&) override { link_->set_in_scope(false); }

    behavior::Wants wants_to_be_activated(const behavior::View& view) const override {
        if (!link_->is_live()) return behavior::Wants::no("no program runs");
        const std::string& trouble = link_->program().trouble();
        if (link_->program().is_starting()) return behavior::Wants::later(no(trouble).why_not());
        if (!trouble.empty()) return no(trouble);
        const data::ProgramAnswer* const answer = link_->answer();
        const bool is_new = view.now() - entered_ < BehaviorProgram::silence_limit;
        if (!answer && is_new) return behavior::Wants::later("it has not answered yet");
        if (!answer) return behavior::Wants::no("it has not answered yet");
        if (answer->yes) return behavior::Wants::yes();
        return no(answer->why);
    }

    void on_activated(Control&) override { link_->begin(); }
    void on_deactivated(const behavior::View&) override { link_->call(ProgramCallKind::deactivated); }

    void update(Control& control) override {
        if (!control.is_active()) return;
        if (const std::string trouble = link_->trouble(); !trouble.empty()) {
            std::ignore = control.finish(Outcome::failed(trouble));
            return;
        }
        for (const data::ProgramRequest& request : link_->take_requests()) {
            if (request.kind == ProgramRequestKind::finish) {
                std::ignore = control.finish(outcome_of(request));
                return;
            }
            if (request.kind == ProgramRequestKind::cancel)
                std::ignore = control.cancel_delegates();
            else
                delegate(control, request);
        }
    }

private:
    /// The reason stays valid when the program gives another one.
    behavior::Wants no(const std::string& why) const {
        if (why_not_ != why) why_not_ = why;
        return behavior::Wants::no(why_not_);
    }

    void delegate(Control& control, const data::ProgramRequest& request) {
        const auto begun = begin(control, request);
        if (!begun) link_->tell_end(request.request, Outcome::failed(begun.error().message));
    }
    Result<void> begin(Control& control, const data::ProgramRequest& request) {
        if (control.is_control_delegated())
            return fail(Code::wrong_state, "what it began before has not ended");
        auto on_return = [this, number = request.request](Control&, const Outcome& outcome) {
            link_->tell_end(number, outcome);
        };
        if (request.action.empty()) {
            const auto child = std::ranges::find(children_, request.child, &Behavior::id);
            if (child == children_.end())
                return fail(Code::not_found, fmt::format("it has no child `{}`", request.child));
            if (const behavior::Wants wants = control.wants(**child); !wants)
                return fail(Code::refused,
                            fmt::format("{} does not want control: {}", request.child, wants.why_not()));
            return control.delegate(**child, std::move(on_return));
        }
        auto action = link_->program().means().action(request.action);
        if (!action) return fail(std::move(action.error()));
        return control.delegate(std::move(*action), std::move(on_return));
    }

    SharedProgram program_;
    data::ProgramObject object_;
    std::vector<Behavior*> children_;
    std::optional<ProgramLink> link_;
    Instant entered_{};  ///< its scope
    mutable std::string why_not_;
};

class ProgramAction final : public behavior::Action {
public:
    ProgramAction(SharedProgram program, data::ProgramObject object)
        : link_(std::move(program), std::move(object)) {}
    std::string_view name() const override { return link_.class_name(); }
    void start(Instant) override {
        if (link_.is_live()) link_.begin();
    }
    std::optional<Outcome> poll(Instant) override {
        if (!link_.is_live()) return Outcome::failed("no program runs");
        if (std::string trouble = link_.trouble(); !trouble.empty())
            return Outcome::failed(std::move(trouble));
        for (const data::ProgramRequest& request : link_.take_requests())
            if (request.kind == ProgramRequestKind::finish) return outcome_of(request);
        return std::nullopt;
    }
    void cancel() override {
        if (link_.is_live()) link_.call(ProgramCallKind::deactivated);
    }

private:
    ProgramLink link_;
};

class ProgramCondition final : public behavior::Condition {
public:
    ProgramCondition(SharedProgram program, data::ProgramObject object)
        : link_(std::move(program), std::move(object)) {}
    std::string describe() const override { return link_.class_name(); }

protected:
    void on_start(const behavior::Moment&) override { link_.set_in_scope(true); }
    bool on_evaluate(const behavior::Moment&) override {
        if (!link_.is_live() || !link_.program().trouble().empty()) return false;
        const data::ProgramAnswer* const answer = link_.answer();
        return answer && answer->yes;
    }
    void on_stop() override { link_.set_in_scope(false); }

private:
    ProgramLink link_;
};

std::optional<Parameter::Kind> parameter_kind_of(std::string_view kind) {
    if (kind == "flag") return Parameter::Kind::flag;
    if (kind == "number") return Parameter::Kind::number;
    if (kind == "text") return Parameter::Kind::text;
    if (kind == "duration") return Parameter::Kind::duration;
    return std::nullopt;
}

std::optional<behavior::ParameterValue> fallback_of(const data::ProgramParameter& parameter) {
    const auto value = from_program_value(parameter.fallback);
    if (!value) return std::nullopt;
    if (const auto* seconds = std::get_if<double>(&*value); seconds && parameter.kind == "duration")
        return from_seconds(*seconds);
    return std::visit([](const auto& each) { return behavior::ParameterValue(each); }, *value);
}

/// Returns whether the fallback has the type of the parameter.
bool fits_kind(const data::ProgramParameter& parameter) {
    const auto value = from_program_value(parameter.fallback);
    if (!value) return true;
    if (parameter.kind == "flag") return std::holds_alternative<bool>(*value);
    if (parameter.kind == "text") return std::holds_alternative<std::string>(*value);
    return std::holds_alternative<double>(*value);
}

std::vector<Parameter> parameters_of(const data::ProgramClass& from) {
    std::vector<Parameter> parameters;
    for (const data::ProgramParameter& each : from.parameters) {
        Parameter made{.name = each.name,
                       .kind = *parameter_kind_of(each.kind),
                       .about = each.about,
                       .required = each.required,
                       .fallback = fallback_of(each)};
        if (each.low == each.low) made.min = each.low;  // not NaN
        if (each.high == each.high) made.max = each.high;
        if (each.kind == "duration") made.min = std::max(made.min, 0.0);
        parameters.push_back(std::move(made));
    }
    return parameters;
}

data::ProgramObject program_object_of(const data::ProgramClass& from, const Arguments& arguments,
                                      const std::string& id = {}) {
    data::ProgramObject object{.kind = from.kind, .class_name = from.name, .id = id};
    for (const data::ProgramParameter& each : from.parameters) {
        if (!arguments.has(each.name)) continue;
        data::ProgramValue value;
        if (each.kind == "flag")
            value.flag = arguments.flag(each.name);
        else if (each.kind == "number")
            value.number = arguments.number(each.name);
        else if (each.kind == "duration")
            value.number = to_seconds(arguments.duration(each.name));
        else
            value.text = arguments.text(each.name);
        object.arguments.push_back({each.name, std::move(value)});
    }
    return object;
}

void add_class(behavior::ClassRegistry& classes, const data::ProgramClass& from,
               const SharedProgram& program) {
    if (from.kind == ProgramPartKind::behavior) {
        behavior::BehaviorClass made{.name = from.name,
                                     .about = from.about,
                                     .parameters = parameters_of(from),
                                     .max_children = from.max_children,
                                     .make = [from, program](std::string id, const Arguments& arguments) {
                                         data::ProgramObject object = program_object_of(from, arguments, id);
                                         return std::make_unique<ProgramBehavior>(std::move(id), program,
                                                                                  std::move(object));
                                     }};
        if (from.max_children > 0)
            made.link = behavior::link_as<ProgramBehavior>(
                [](ProgramBehavior& behavior,
                   std::span<const behavior::LinkedChild> children) -> Result<void> {
                    for (const behavior::LinkedChild& child : children) behavior.add(child.behavior);
                    return {};
                });
        return classes.add(std::move(made));
    }
    if (from.kind == ProgramPartKind::action)
        return classes.add(behavior::ActionClass{.name = from.name,
                                                 .about = from.about,
                                                 .parameters = parameters_of(from),
                                                 .make = [from, program](const Arguments& arguments) {
                                                     return std::make_unique<ProgramAction>(
                                                         program, program_object_of(from, arguments));
                                                 }});
    classes.add(behavior::ConditionClass{.name = from.name,
                                         .about = from.about,
                                         .parameters = parameters_of(from),
                                         .make = [from, program](const Arguments& arguments) {
                                             return std::make_unique<ProgramCondition>(
                                                 program, program_object_of(from, arguments));
                                         }});
}

bool is_taken(const behavior::ClassRegistry& classes, const data::ProgramClass& each) {
    if (each.kind == ProgramPartKind::behavior) return classes.behaviors().contains(each.name);
    if (each.kind == ProgramPartKind::action) return classes.actions().contains(each.name);
    return classes.conditions().contains(each.name);
}

Result<void> check_parameters(const data::ProgramClass& each) {
    const bool is_behavior = each.kind == ProgramPartKind::behavior;
    std::set<std::string> names;
    const auto wrong = [&](const data::ProgramParameter& parameter, std::string_view why) {
        return fail(Code::malformed,
                    fmt::format("the parameter `{}` of `{}` {}", parameter.name, each.name, why));
    };
    for (const data::ProgramParameter& parameter : each.parameters) {
        if (!parameter_kind_of(parameter.kind))
            return wrong(parameter, fmt::format("has the kind `{}`", parameter.kind));
        if (!behavior::is_class_name(parameter.name) || !names.insert(parameter.name).second)
            return wrong(parameter, "has a name that is malformed, or used twice");
        if (is_behavior && behavior::is_entry_key(parameter.name))
            return wrong(parameter, "has a name that every behavior uses; take another one");
        if (!fits_kind(parameter)) return wrong(parameter, "has a default of another type");
    }
    const bool has_required = std::ranges::any_of(each.parameters, &data::ProgramParameter::required);
    if (!is_behavior && has_required && !names.contains(each.name))
        return fail(Code::malformed,
                    fmt::format("`{}` has required parameters, and none of its own name", each.name));
    return {};
}

Result<void> check_hello(const behavior::ClassRegistry& classes, const data::ProgramHello& hello) {
    std::set<std::pair<ProgramPartKind, std::string>> names;
    for (const data::ProgramClass& each : hello.classes) {
        if (!behavior::is_class_name(each.name))
            return fail(Code::malformed, fmt::format("`{}` is not the name of a class", each.name));
        if (is_taken(classes, each) || !names.emplace(each.kind, each.name).second)
            return fail(Code::already_exists,
                        fmt::format("there is another class `{}`; take another name", each.name));
        if (auto checked = check_parameters(each); !checked) return checked;
    }
    std::set<std::string> facts;
    for (const data::ProgramFact& fact : hello.facts) {
        if (fact.name.empty() || fact.name.ends_with(':') || classes.facts().contains(fact.name) ||
            !facts.insert(fact.name).second)
            return fail(Code::already_exists, fmt::format("there is another fact `{}`", fact.name));
        if (!from_program_value(fact.value))
            return fail(Code::malformed, fmt::format("the fact `{}` has no value at the start", fact.name));
    }
    return {};
}

}  // namespace

Result<void> register_program_classes(behavior::ClassRegistry& classes, const data::ProgramHello& hello,
                                      std::shared_ptr<BehaviorProgram> program) {
    if (auto checked = check_hello(classes, hello); !checked) return checked;
    for (const data::ProgramFact& fact : hello.facts) {
        const behavior::Value value = *from_program_value(fact.value);
        classes.add(behavior::FactDeclaration{.name = fact.name,
                                              .about = fact.about,
                                              .type = behavior::type_of(value),
                                              .unit = fact.unit,
                                              .fallback = value});
    }
    for (const data::ProgramClass& each : hello.classes) add_class(classes, each, program);
    return {};
}

}  // namespace caribou::robot
