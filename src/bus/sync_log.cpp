#include "bus/sync_log.hpp"

#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace caribou::bus {
namespace {

constexpr std::size_t lines_per_title = 30;
constexpr std::string_view sync_ruler = "%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%";

}  // namespace

SyncLog::SyncLog(std::vector<std::string> variables, int decimals)
    : variables_(std::move(variables)), decimals_(decimals) {
    for (const std::string& variable : variables_) values_[variable];
}

std::string SyncLog::header(std::string_view name, double log_start) const {
    std::string text =
        fmt::format("{0}\n%% LOG FILE:       {1}\n%% LOGSTART        {2:20.6f}\n{0}\n%%   (1) TIME\n",
                    sync_ruler, name, log_start);
    for (std::size_t i = 0; i < variables_.size(); ++i)
        fmt::format_to(std::back_inserter(text), "%%   ({}) {}\n", i + 2, variables_[i]);
    return text.append(sync_ruler) + "\n";
}

void SyncLog::set(const wire::MessageView& message) {
    const auto found = values_.find(message.key);
    if (found != values_.end() && message.is_number()) found->second = message.value;
}

std::string SyncLog::titles() const {
    std::string text = fmt::format("{:<17}", "%TIME");
    for (const std::string& variable : variables_)
        fmt::format_to(std::back_inserter(text), " {:<17}", variable);
    return text + "\n";
}

std::string SyncLog::line(double seconds) {
    std::string text = lines_++ % lines_per_title == 0 ? titles() : "";
    fmt::format_to(std::back_inserter(text), "{:<17.5f}", seconds);
    for (const std::string& variable : variables_) {
        const auto value = std::exchange(values_[variable], std::nullopt);
        const std::string shown = value ? fmt::format("{:.{}f}", *value, decimals_) : "NaN";
        fmt::format_to(std::back_inserter(text), " {:<17}", shown);
    }
    return text + "\n";
}

}  // namespace caribou::bus
