#include "bus/subscriptions.hpp"

namespace caribou::bus {

/// Names of variables start with v, those of wildcards with w. Patterns contain no comma, so that the names
/// are unique.
std::string Subscriptions::name_of(const Registration& registration) {
    if (const auto* variable = std::get_if<Variable>(&registration)) return "v" + variable->key;
    const auto& wildcard = std::get<Wildcard>(registration);
    return "w" + wildcard.app_pattern + "," + wildcard.var_pattern;
}

void Subscriptions::add(Registration registration) {
    const std::string name = name_of(registration);
    remove(name);
    index_[name] = next_;
    in_order_.emplace(next_, std::move(registration));
    ++next_;
}

void Subscriptions::remove_variable(std::string_view key) { remove("v" + std::string(key)); }

void Subscriptions::remove_wildcard(const Wildcard& wildcard) { remove(name_of(wildcard)); }

void Subscriptions::remove(const std::string& name) {
    const auto found = index_.find(name);
    if (found == index_.end()) return;
    in_order_.erase(found->second);
    index_.erase(found);
}

}  // namespace caribou::bus
