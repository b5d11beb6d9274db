#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "data/negotiation_report.hpp"
#include "negotiation/type_key.hpp"

namespace caribou::negotiation {

using data::NegotiationReport;

/// Returns the type as part of a report.
data::TopicType reported(const TypeKey& key);

/// Parses the JSON that tools receive on report_topic(), docs/formats/negotiation-report.md.
Result<NegotiationReport> report_from_json(std::string_view text);

/// Returns a paragraph for people: the published types with reasons, the subscriptions that are not served
/// with reasons, and what the runner-up would cost.
std::string to_text(const NegotiationReport& report);

}  // namespace caribou::negotiation
