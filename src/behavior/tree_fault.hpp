#pragma once

#include "base/text_fault.hpp"

namespace caribou::behavior {

/// A file of a tree, handed in: this room opens none.
using TreeText = NamedText;
/// Something wrong in one.
using TreeFault = TextFault;
using Place = TextPlace;

}  // namespace caribou::behavior
