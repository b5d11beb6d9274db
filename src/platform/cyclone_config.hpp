#pragma once

#include <string>

#include "base/result.hpp"
#include "negotiation/topic_settings.hpp"

namespace caribou {

/// The settings with a domain: where they leave it open, what ROS_DOMAIN_ID says, or 0. Fails if that is
/// none.
Result<negotiation::DdsSettings> with_domain(negotiation::DdsSettings settings);

/// They as CycloneDDS reads them.
std::string cyclone_config(const negotiation::DdsSettings& settings);

}  // namespace caribou
