#pragma once

#include <string>
#include <string_view>

namespace caribou::app {

/// Returns a text as a QR code of half blocks, for a terminal. `coloured`: dark on light regardless of the
/// terminal's colors. Empty if it does not fit.
std::string qr_text(std::string_view text, bool coloured);

}  // namespace caribou::app
