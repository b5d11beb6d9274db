#pragma once

#include <vector>

#include "bus/exchange.hpp"
#include "bus/web.hpp"

namespace caribou::bus {

struct ChosenRows {
    std::vector<const Variable*> rows;  ///< sorted by name
    bool more;                          ///< further rows match
};
/// Sorts only the rows that are returned, so that a hundred thousand variables do not block the broker.
ChosenRows choose_rows(const Exchange& exchange, const WebRows& wanted);

}  // namespace caribou::bus
