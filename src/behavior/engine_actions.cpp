#include <fmt/format.h>

#include "behavior/engine_classes.hpp"
#include "behavior/parallel_action.hpp"
#include "behavior/sequential_action.hpp"
#include "behavior/wait_action.hpp"

namespace caribou::behavior {
namespace {

using Kind = Parameter::Kind;

ActionClass sequence_class() {
    return {
        .name = "sequence",
        .about = "one after the other, as long as they succeed",
        .parameters = {{.name = "sequence", .kind = Kind::actions, .about = "the actions", .required = true}},
        .make = [](const Arguments& arguments) {
            return std::make_unique<SequentialAction>(arguments.actions("sequence"));
        }};
}

Parameter count_parameter(std::string name, std::string about, double fallback) {
    return {.name = std::move(name),
            .kind = Kind::count,
            .about = std::move(about),
            .fallback = fallback,
            .min = 0,
            .max = 1e9};
}

/// Reports counts that the actions can never reach.
std::vector<std::string> find_impossible_counts(const ParameterValues& values) {
    std::vector<std::string> sentences;
    const auto* actions = given<std::vector<PartPlan>>(values, "parallel");
    for (const char* name : {"success_count", "failure_count"})
        if (const double* count = given<double>(values, name);
            count && actions && *count > static_cast<double>(actions->size()))
            sentences.push_back(fmt::format("`{}` is {}, and there are {} actions; expected at most {}", name,
                                            *count, actions->size(), actions->size()));
    return sentences;
}

ActionClass parallel_class() {
    return {
        .name = "parallel",
        .about = "all at once, until enough of them succeeded or did not",
        .parameters = {{.name = "parallel", .kind = Kind::actions, .about = "the actions", .required = true},
                       count_parameter("success_count", "how many must succeed; 0: all", 0),
                       count_parameter("failure_count", "how many make it fail; 0: all", 1)},
        .contradictions = find_impossible_counts,
        .make = [](const Arguments& arguments) {
            return std::make_unique<ParallelAction>(
                arguments.actions("parallel"),
                ParallelPolicy{.success_count = arguments.count("success_count"),
                               .failure_count = arguments.count("failure_count")});
        }};
}

}  // namespace

void register_engine_actions(ClassRegistry& registry) {
    registry.add(ActionClass{
        .name = "wait",
        .about = "succeeds after a while",
        .parameters = {{.name = "wait", .kind = Kind::duration, .about = "how long", .required = true}},
        .make = [](const Arguments& arguments) {
            return std::make_unique<WaitAction>(arguments.duration("wait"));
        }});
    registry.add(sequence_class());
    registry.add(parallel_class());
}

}  // namespace caribou::behavior
