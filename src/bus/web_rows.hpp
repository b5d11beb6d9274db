#pragma once

#include <vector>

#include "bus/exchange.hpp"
#include "bus/web.hpp"

namespace caribou::bus {

struct ChosenRows {
    std::vector<const Variable*> rows;  ///< by name
    bool more;                          ///< others match, too
};
/// Only what is shown is sorted, so that a hundred thousand variables do not hold up the broker.
ChosenRows choose_rows(const Exchange& exchange, const WebRows& wanted);

}  // namespace caribou::bus
