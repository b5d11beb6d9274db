#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace caribou::robot {

/// The stored result of a self-check (docs/formats/self-check.md).
struct SelfCheckRecord {
    static constexpr int version = 1;
    bool passed = false;               ///< nothing failed
    std::string body{};                ///< digest of the body's configuration, 64 hexadecimal digits
    std::string program{};             ///< version of the program that made it
    std::string at{};                  ///< date and time in UTC, by the clock of the machine
    std::vector<std::string> items{};  ///< one line per item, for people

    friend bool operator==(const SelfCheckRecord&, const SelfCheckRecord&) = default;
};

/// Returns a text that self_check_record_from() accepts.
std::string file_text_of(const SelfCheckRecord& record);
/// Fails with Code::malformed if it is not such a record, and with Code::refused if it was written by a newer
/// version.
Result<SelfCheckRecord> self_check_record_from(std::string_view file_text);

}  // namespace caribou::robot
