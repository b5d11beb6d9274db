#include "behavior/action_text.hpp"

#include <array>
#include <string>
#include <vector>

#include "behavior/tree_fault.hpp"
#include "behavior/tree_limits.hpp"
#include "behavior/value_reader.hpp"

namespace caribou::behavior {

Result<std::unique_ptr<Action>> action_from(std::string_view json, const ClassRegistry& classes) {
    const TreeLimits limits;
    const auto node = read_json(json, limits.json);
    if (!node) return fail(Code::malformed, "the action is no JSON: " + node.error().message);
    const std::array files{TreeText{"action", std::string(json)}};
    FaultList faults(files, limits.faults);
    ValueReader reader(classes, limits, faults);
    const Parameter parameter{.name = "action", .kind = Parameter::Kind::action};
    const auto value = reader.read_value({*node, 0}, parameter);
    if (!faults.empty() || !value) return fail(Code::malformed, to_string(faults.take()));
    return classes.make_action(std::get<std::vector<PartPlan>>(*value).front());
}

}  // namespace caribou::behavior
