#pragma once

#include <map>
#include <string>

#include "base/result.hpp"
#include "platform/mapped_file.hpp"
#include "wire/alog.hpp"

namespace caribou::app {

/// A log and the files that its lines refer to.
class LogSource {
public:
    static Result<LogSource> open(const std::string& path);

    std::string_view text() const { return log_.text(); }
    /// Returns the bytes of a value. Referenced files are always searched in the log's own folder.
    Result<std::string_view> resolve(const wire::AlogReference& reference);

private:
    LogSource(std::string folder, MappedFile log) : folder_(std::move(folder)), log_(std::move(log)) {}

    std::string folder_;
    MappedFile log_;
    std::map<std::string, MappedFile, std::less<>> beside_;
};

}  // namespace caribou::app
