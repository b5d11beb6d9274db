#pragma once

// Private to the DDS part of platform: includes CycloneDDS's headers.

#include <dds/dds.h>

#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/ddsi_sertype.h>

#include <memory>
#include <string>

#include "base/bytes.hpp"
#include "loop/time.hpp"

namespace caribou {

/// Returns a type that DDS knows by name only: samples are CDR already, and DDS neither inspects nor copies
/// them. So every message type can be carried without generated code.
ddsi_sertype* make_opaque_type(const std::string& type_name);

/// Returns a sample for DDS. The caller owns one reference.
ddsi_serdata* make_opaque_sample(const ddsi_sertype& type, std::shared_ptr<const Bytes> payload,
                                 WallTime stamp);
/// Returns null if there is no payload, because a writer has left.
const std::shared_ptr<const Bytes>& payload_of(const ddsi_serdata& sample);

}  // namespace caribou
