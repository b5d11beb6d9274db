#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace caribou::robot {

/// The state of a robot's link that survives a restart (docs/formats/link-record.md).
struct LinkRecord {
    static constexpr int newest = 2;
    int version = newest;    ///< as read; 1: written by a release without a stored latch
    std::uint64_t boot = 0;  ///< number of the latest start
    std::string station{};   ///< the server cookie; empty if it belongs to no station

    friend bool operator==(const LinkRecord&, const LinkRecord&) = default;
};

/// Returns a text that link_record_from() accepts.
std::string file_text_of(const LinkRecord& record);
/// Fails with Code::malformed if it is not such a record, and with Code::refused if it was written by a newer
/// version.
Result<LinkRecord> link_record_from(std::string_view file_text);

/// Returns the record of the next start. Its number is higher, even if the record was lost, provided that the
/// clock was once right.
LinkRecord next_start(LinkRecord record, double unix_seconds);

}  // namespace caribou::robot
