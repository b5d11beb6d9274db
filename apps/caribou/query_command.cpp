// `caribou query`: turns a condition on variables into an exit status.

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bus/logic_condition.hpp"
#include "bus/message_text.hpp"
#include "caribou/bus_session.hpp"
#include "caribou/commands.hpp"

namespace caribou::app {
namespace {

using bus::LogicCondition;

class QueryCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser =
            program.add_subcommand("query", "Test a condition on variables: the exit status is the answer");
        parser->add_option("CONDITION", pass_texts_, "Conditions that must hold, such as 'MODE == DRIVE'");
        parser->add_option("--condition,--pass_condition,--pass-condition", more_pass_texts_, "The same");
        parser->add_option("--fail_condition,--fail-condition", fail_texts_, "Conditions that must not hold");
        parser->add_option("--check_var,--print", printed_, "Print the value of this variable: VAR=value");
        add_bus_options(*parser, bus_);
        parser->footer(
            "Exit status 0 if all variables have been written, all conditions hold and no --fail_condition\n"
            "holds; otherwise 1. With --wait, waits up to that long for the broker, and then for this "
            "state;\n"
            "without it, the first value of each variable decides, and is waited for.\n"
            "Examples:\n"
            "  caribou query alpha.moos 'IVPHELM_STATE == DRIVE' && echo driving\n"
            "  caribou query '(NAV_X > 10) and not (MODE == RETURN)' --wait 30");
        return parser;
    }

    Exit run() override {
        if (auto taken = take_mission_files(pass_texts_, bus_); !taken)
            return complain("query", taken.error().message, Exit::failed);
        pass_texts_.insert(pass_texts_.end(), more_pass_texts_.begin(), more_pass_texts_.end());
        if (const auto wrong = parse(pass_texts_, pass_)) return complain("query", *wrong);
        if (const auto wrong = parse(fail_texts_, fail_)) return complain("query", *wrong);
        variables_.insert(printed_.begin(), printed_.end());
        if (variables_.empty())
            return complain("query", "expected a condition, such as 'MODE == DRIVE', or --check_var");
        BusSession session("query", bus_);
        if (auto connected = session.connect(); !connected)
            return session.complain(connected.error().message);
        for (const std::string& variable : variables_) {
            session.client().on_mail(variable, [this, &session](const wire::MessageView& message) {
                values_.insert_or_assign(std::string(message.key), wire::own(message));
                const bool decides = bus_.wait == 0 && values_.size() == variables_.size();
                if (decides || holds()) session.end(Exit::ok);
            });
            if (auto registered = session.client().register_variable(variable); !registered)
                return session.complain(registered.error().message);
        }
        const auto limit = session.loop().make_timer([&] { session.end(Exit::ok); });
        if (bus_.wait > 0) limit->arm(session.loop().clock().now() + from_seconds(bus_.wait));
        session.run();
        return report(session);
    }

private:
    /// Returns an error message, or nullopt.
    std::optional<std::string> parse(const std::vector<std::string>& texts, std::vector<LogicCondition>& to) {
        for (const std::string& text : texts) {
            auto condition = LogicCondition::parse(text);
            if (!condition) return fmt::format("`{}`, {}", text, condition.error().message);
            variables_.insert(condition->variables().begin(), condition->variables().end());
            to.push_back(std::move(*condition));
        }
        return std::nullopt;
    }

    bool holds(const LogicCondition& condition) const {
        return condition.holds([this](const std::string& variable) {
            const auto found = values_.find(variable);
            return found == values_.end() ? nullptr : &found->second;
        });
    }
    bool holds() const {
        const auto one_holds = [this](const LogicCondition& condition) { return holds(condition); };
        return values_.size() == variables_.size() && std::ranges::all_of(pass_, one_holds) &&
               std::ranges::none_of(fail_, one_holds);
    }

    std::string value_of(const std::string& variable) const {
        const auto found = values_.find(variable);
        return found == values_.end() ? "never written" : bus::value_text(wire::view(found->second), 200);
    }
    std::string values_in(const LogicCondition& condition) const {
        std::string all;
        for (const std::string& variable : condition.variables())
            all += fmt::format("{}{} is {}", all.empty() ? "" : ", ", variable, value_of(variable));
        return all;
    }

    Exit report(const BusSession& session) const {
        for (const std::string& variable : printed_)
            if (values_.contains(variable)) fmt::print("{}={}\n", variable, value_of(variable));
        if (holds()) return Exit::ok;
        for (const LogicCondition& condition : pass_)
            if (!holds(condition))
                session.complain(
                    fmt::format("`{}` does not hold: {}", condition.text(), values_in(condition)));
        for (const LogicCondition& condition : fail_)
            if (holds(condition))
                session.complain(fmt::format("`{}` holds: {}", condition.text(), values_in(condition)));
        for (const std::string& variable : printed_)
            if (!values_.contains(variable)) session.complain(fmt::format("{} was never written", variable));
        return Exit::failed;
    }

    BusOptions bus_;
    std::vector<std::string> pass_texts_;
    std::vector<std::string> more_pass_texts_;
    std::vector<std::string> fail_texts_;
    std::vector<std::string> printed_;
    std::vector<LogicCondition> pass_;
    std::vector<LogicCondition> fail_;
    std::set<std::string> variables_;
    std::map<std::string, wire::Message> values_;
};

}  // namespace

std::unique_ptr<Command> make_query_command() { return std::make_unique<QueryCommand>(); }

}  // namespace caribou::app
