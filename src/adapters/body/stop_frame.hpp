#pragma once

#include <string>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace caribou {

/// Writes the frame that stops a device, twice: the device may take the beginning of the first one for the
/// rest of a frame that its driver had begun. Discards what waits to be sent to the device.
Result<void> write_stop_frame(int device, const Bytes& frame);

/// Opens the device for this, without waiting for it.
Result<void> write_stop_frame(const std::string& device, const Bytes& frame);

}  // namespace caribou
