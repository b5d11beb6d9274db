#pragma once

// Private to platform's DDS: shows CycloneDDS's headers.

#include <dds/dds.h>

#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/ddsi_sertype.h>

#include <memory>
#include <string>

#include "base/bytes.hpp"
#include "loop/time.hpp"

namespace caribou {

/// A type that DDS knows by name only: what goes through is CDR already, and DDS neither looks into it
/// nor copies it. So every message can be carried without code that was made for it.
ddsi_sertype* make_opaque_type(const std::string& type_name);

/// A sample as DDS hands it on. The caller owns one reference.
ddsi_serdata* make_opaque_sample(const ddsi_sertype& type, std::shared_ptr<const Bytes> payload,
                                 WallTime stamp);
/// Null if there is no payload: somebody has only gone.
const std::shared_ptr<const Bytes>& payload_of(const ddsi_serdata& sample);

}  // namespace caribou
