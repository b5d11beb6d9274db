#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace caribou {

/// A file of events, one line each: `2026-01-31T13:59:59.123Z text`. Control characters, which may come from
/// outside, are escaped as `\x0a`. A line that cannot be written is lost.
class EventFile {
public:
    /// Opens the file for appending; creates it if it is missing.
    static Result<EventFile> open(const std::string& path);

    void write(double unix_seconds, std::string_view text);

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace caribou
