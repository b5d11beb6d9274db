#pragma once

#include "base/bytes.hpp"

namespace caribou::tests {

/// Returns a recording that is expensive to replay: `replayed_seconds` from `replayed_from` on, with scans
/// and maps of a robot `rover`.
Bytes large_recording();

}  // namespace caribou::tests
