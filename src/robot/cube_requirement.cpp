#include "robot/cube_requirement.hpp"

#include <array>
#include <utility>

namespace caribou::robot {
namespace {

struct Named {
    CubeRequirement requirement;
    std::string_view word;
    std::string_view about;
};
constexpr std::array<Named, 4> all{{
    {CubeRequirement::optional_lazy, "cube_optional_lazy", "holds a cube that is connected"},
    {CubeRequirement::optional_active, "cube_optional_active", "has a cube connected"},
    {CubeRequirement::required_lazy, "cube_required_lazy", "runs only with a cube that is connected"},
    {CubeRequirement::required_managed, "cube_required_managed",
     "runs only with a cube that an ancestor has seen to"},
}};
constexpr std::string_view in_background = "_in_background";

}  // namespace

std::string word_of(CubeNeed need) {
    for (const Named& named : all)
        if (named.requirement == need.requirement)
            return std::string(named.word) + std::string(need.connect_in_background ? in_background : "");
    return "";
}

std::optional<CubeNeed> cube_need(std::string_view word) {
    CubeNeed need;
    need.connect_in_background = word.ends_with(in_background);
    if (need.connect_in_background) word.remove_suffix(in_background.size());
    for (const Named& named : all) {
        if (named.word != word) continue;
        need.requirement = named.requirement;
        return need;
    }
    return std::nullopt;
}

behavior::OperationModifiers with_cube(CubeNeed need, behavior::OperationModifiers modifiers) {
    modifiers.requirement = word_of(need);
    if (need.requirement == CubeRequirement::required_managed)
        modifiers.needs_ensured.emplace_back(ensures_cube_connection_at_delegation);
    return modifiers;
}

void register_cube_requirements(behavior::ClassRegistry& classes) {
    for (const Named& named : all)
        for (const bool background : {false, true}) {
            const CubeNeed need{named.requirement, background};
            classes.add(behavior::RequirementWord{
                .name = word_of(need),
                .about = std::string(named.about) + (background ? ", silently" : ""),
                .needs_ensured = with_cube(need).needs_ensured,
            });
        }
}

}  // namespace caribou::robot
