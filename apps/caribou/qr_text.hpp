#pragma once

#include <string>
#include <string_view>

namespace caribou::app {

/// A text as a QR code of half blocks, for a terminal. `coloured`: dark on light whatever the terminal's
/// colours are. Empty if it does not fit.
std::string qr_text(std::string_view text, bool coloured);

}  // namespace caribou::app
