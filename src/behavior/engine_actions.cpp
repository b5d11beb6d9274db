#include "behavior/engine_classes.hpp"
#include "behavior/parallel_action.hpp"
#include "behavior/sequential_action.hpp"
#include "behavior/wait_action.hpp"

namespace caribou::behavior {
namespace {

using Kind = Parameter::Kind;

template <class Made>
ActionClass compound_class(std::string name, std::string about) {
    return {.name = name,
            .about = std::move(about),
            .parameters = {{.name = name, .kind = Kind::actions, .about = "the actions", .required = true}},
            .make = [name](const Arguments& arguments) {
                return std::make_unique<Made>(arguments.actions(name));
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
    registry.add(
        compound_class<SequentialAction>("sequence", "one after the other, as long as they succeed"));
    registry.add(
        compound_class<ParallelAction>("parallel", "all at once, until all succeeded or one did not"));
}

}  // namespace caribou::behavior
