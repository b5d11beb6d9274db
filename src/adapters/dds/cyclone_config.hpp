#pragma once

#include <string>

#include "base/result.hpp"
#include "negotiation/topic_settings.hpp"

namespace caribou {

/// Returns the settings with a domain: if they have none, ROS_DOMAIN_ID, or else 0. Fails if ROS_DOMAIN_ID is
/// not a valid domain.
Result<negotiation::DdsSettings> with_domain(negotiation::DdsSettings settings);

/// Returns the settings as a configuration for CycloneDDS.
std::string cyclone_config(const negotiation::DdsSettings& settings);

}  // namespace caribou
