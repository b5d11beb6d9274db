#include "behavior/entry_parameters.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace caribou::behavior {
namespace {

using Kind = Parameter::Kind;

Parameter flag(std::string name, std::string about) {
    return {.name = std::move(name), .kind = Kind::flag, .about = std::move(about)};
}
Parameter names(std::string name, std::string about) {
    return {.name = std::move(name), .kind = Kind::texts, .about = std::move(about)};
}

void add_names(std::vector<std::string>& to, const Arguments& arguments, std::string_view name) {
    for (std::string& text : arguments.texts(name)) to.push_back(std::move(text));
}

}  // namespace

std::vector<Parameter> entry_parameters() {
    return {
        {.name = "wants",
         .kind = Kind::conditions,
         .about =
             "it wants to be activated only while all of these hold; a dispatcher only if also one of its "
             "children wants to, unless `always` is among these"},
        {.name = "cancel",
         .kind = Kind::conditions,
         .about = "it is cancelled as soon as one of these holds"},
        flag("allowed_charging", "it may be activated while the fact `charging` holds"),
        flag("allowed_off_ground", "it may be activated while the fact `off_ground` holds"),
        flag("allowed_carrying", "it may be activated while the fact `carrying` holds"),
        flag("always_delegates", "it ends as soon as nothing is delegated any more"),
        {.name = "requirement", .kind = Kind::text, .about = "a word for the requirement gates"},
        names("ensures", "names that hold for everything it delegates to"),
        names("needs_ensured", "names that an active ancestor must ensure"),
        names("sensors_in_scope", "sensor modes that are on while it is in scope"),
        names("sensors_while_active", "sensor modes that are on while it is active"),
    };
}

bool is_entry_key(std::string_view key) {
    constexpr std::array<std::string_view, 4> structural{"class", "id", "children", "note"};
    const std::vector<Parameter> parameters = entry_parameters();
    return std::ranges::find(structural, key) != structural.end() ||
           std::ranges::find(parameters, key, &Parameter::name) != parameters.end();
}

Result<void> declare_entry(Behavior& behavior, const Arguments& arguments) {
    OperationModifiers modifiers = behavior.modifiers();
    const auto replace = [&](bool& to, std::string_view name) {
        if (arguments.has(name)) to = arguments.flag(name);
    };
    replace(modifiers.allowed_charging, "allowed_charging");
    replace(modifiers.allowed_off_ground, "allowed_off_ground");
    replace(modifiers.allowed_carrying, "allowed_carrying");
    replace(modifiers.always_delegates, "always_delegates");
    if (arguments.has("requirement")) modifiers.requirement = arguments.text("requirement");
    add_names(modifiers.ensures, arguments, "ensures");
    add_names(modifiers.needs_ensured, arguments, "needs_ensured");
    add_names(modifiers.sensors_in_scope, arguments, "sensors_in_scope");
    add_names(modifiers.sensors_while_active, arguments, "sensors_while_active");
    if (auto declared = behavior.declare(std::move(modifiers)); !declared) return declared;
    for (ConditionPtr& condition : arguments.conditions("wants"))
        if (auto declared = behavior.wants_when(std::move(condition)); !declared) return declared;
    for (ConditionPtr& condition : arguments.conditions("cancel"))
        if (auto declared = behavior.cancel_when(std::move(condition)); !declared) return declared;
    return {};
}

}  // namespace caribou::behavior
