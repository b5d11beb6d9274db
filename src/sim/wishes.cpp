#include "sim/wishes.hpp"

#include <algorithm>

#include "bus/wildcard.hpp"

namespace caribou::sim {
namespace {

/// A source pattern that matches every writer. With any other pattern, whether a variable is received depends
/// on who wrote it first.
constexpr std::string_view anybody = "*";

}  // namespace

void Wishes::set(const std::string& key, Want want) {
    wants_[key] = want;
    if (want != Want::no) wanted_.insert(key);
}

bool Wishes::covered(std::string_view key) const {
    return std::ranges::any_of(filters_,
                               [&](const Filter& filter) { return bus::glob_matches(filter.second, key); });
}

Want Wishes::want(std::string_view key) const {
    const auto found = wants_.find(key);
    return found == wants_.end() ? Want::no : found->second;
}

void Wishes::on_register(std::string_view key) {
    by_name_.emplace(key);
    set(std::string(key), Want::yes);
}

void Wishes::on_unregister(std::string_view key) {
    if (const auto found = by_name_.find(key); found != by_name_.end()) by_name_.erase(found);
    set(std::string(key), covered(key) ? Want::maybe : Want::no);
}

void Wishes::on_wildcard(std::string_view app_pattern, std::string_view var_pattern) {
    filters_.emplace(app_pattern, var_pattern);
    for (const std::string& key : keys_) {
        if (!bus::glob_matches(var_pattern, key)) continue;
        if (app_pattern == anybody)
            set(key, Want::yes);
        else if (want(key) == Want::no)
            set(key, Want::maybe);
    }
}

void Wishes::on_wildcard_end(std::string_view app_pattern, std::string_view var_pattern) {
    filters_.erase(Filter(app_pattern, var_pattern));
    for (const std::string& key : keys_) {
        if (!bus::glob_matches(var_pattern, key) || want(key) == Want::no) continue;
        const bool for_sure = app_pattern == anybody && !by_name_.contains(key) && !covered(key);
        set(key, for_sure ? Want::no : Want::maybe);
    }
}

}  // namespace caribou::sim
