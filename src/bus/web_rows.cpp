#include "bus/web_rows.hpp"

#include <algorithm>

#include "bus/wildcard.hpp"

namespace caribou::bus {

ChosenRows choose_rows(const Exchange& exchange, const WebRows& wanted) {
    ChosenRows chosen{};
    exchange.for_each([&](const Variable& variable) {
        if ((wanted.after.empty() || variable.name > wanted.after) &&
            glob_matches(wanted.filter, variable.name))
            chosen.rows.push_back(&variable);
    });
    const auto by_name = [](const Variable* variable) -> const std::string& { return variable->name; };
    const std::size_t count = std::min(chosen.rows.size(), wanted.limit);
    std::ranges::partial_sort(chosen.rows, chosen.rows.begin() + static_cast<std::ptrdiff_t>(count), {},
                              by_name);
    chosen.more = chosen.rows.size() > count;
    chosen.rows.resize(count);
    return chosen;
}

}  // namespace caribou::bus
