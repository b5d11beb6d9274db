#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/message.hpp"

namespace caribou::bus {

/// The lines of a synchronous log (.slog): one line per tick, with a column for each variable
/// (docs/formats/alog.md).
class SyncLog {
public:
    SyncLog(std::vector<std::string> variables, int decimals);

    /// Returns the header. `name` is the file's.
    std::string header(std::string_view name, double log_start) const;
    /// Keeps a value of a column. Strings are shown as NaN.
    void set(const wire::MessageView& message);
    /// Returns the line of a tick: the values written since the last one.
    std::string line(double seconds);

private:
    std::string titles() const;

    std::vector<std::string> variables_;
    std::map<std::string, std::optional<double>, std::less<>> values_;
    int decimals_;
    std::size_t lines_ = 0;
};

}  // namespace caribou::bus
