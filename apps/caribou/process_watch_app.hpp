#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bus/app.hpp"
#include "bus/process_watch.hpp"

namespace caribou::app {

/// Publishes which programs of a community are missing, as uProcessWatch does.
class ProcessWatchApp final : public bus::App {
public:
    /// `mission_file` may be empty.
    ProcessWatchApp(bus::AppFrame& frame, std::string mission_file);

    Result<void> on_start_up() override;
    Result<void> on_connect_to_server() override;
    Result<void> on_new_mail(std::span<const wire::Message> mail) override;
    Result<void> iterate() override;

private:
    /// Returns the names of the programs of the block ANTLER that `caribou launch` starts.
    Result<std::vector<std::string>> launched_programs() const;
    template <class Value>
    void publish(const std::string& variable, const Value& value);
    void on_clients(std::string_view list);

    std::string mission_file_;
    std::string watch_all_ = "true";
    std::vector<std::string> watch_;
    std::vector<std::string> nowatch_;
    std::vector<std::string> post_mapping_;
    double summary_wait_ = -1;
    bool allow_retractions_ = true;

    std::map<std::string, std::string> mapping_;
    std::optional<bus::ProcessWatch> process_watch_;
    std::optional<bool> last_ok_;
    Instant next_summary_{};
};

}  // namespace caribou::app
