#pragma once

#include <string_view>
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

std::string_view type_name(wire::DataType type);

}  // namespace caribou::bus
