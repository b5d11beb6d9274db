#pragma once

#include "base/text_fault.hpp"

namespace caribou::behavior {

/// The contents of a tree file, supplied by the caller; this module opens no files.
using TreeText = NamedText;
/// An error in such a file.
using TreeFault = TextFault;
using Place = TextPlace;

}  // namespace caribou::behavior
