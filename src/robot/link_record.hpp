#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace caribou::robot {

/// What a robot remembers of its link from one start to the next (docs/formats/link-record.md).
struct LinkRecord {
    static constexpr int newest = 2;
    int version = newest;    ///< as read; 1: written by a release that stored no latch
    std::uint64_t boot = 0;  ///< of the latest start
    std::string station{};   ///< the server cookie; empty: it belongs to none

    friend bool operator==(const LinkRecord&, const LinkRecord&) = default;
};

std::string file_text_of(const LinkRecord& record);
/// Code::malformed: not such a record. Code::refused: written by a newer version of the program.
Result<LinkRecord> link_record_from(std::string_view file_text);

/// The record of the start after that one. Its number is higher, even if the record was lost, as long as the
/// clock was right once.
LinkRecord next_start(LinkRecord record, double unix_seconds);

}  // namespace caribou::robot
