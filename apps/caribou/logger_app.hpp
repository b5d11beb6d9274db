#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bus/app.hpp"
#include "bus/logger_words.hpp"
#include "caribou/log_session.hpp"

namespace caribou::app {

/// Logs variables as pLogger does: reads its block, makes a folder with logs for each run, and obeys
/// PLOGGER_CMD and LOGGER_RESTART.
class LoggerApp final : public bus::App {
public:
    static constexpr const char* default_name = "pLogger";

    /// `mission_file` may be empty.
    LoggerApp(bus::AppFrame& frame, std::string mission_file);
    ~LoggerApp() override;

    Result<void> on_start_up() override;
    Result<void> on_connect_to_server() override;
    Result<void> on_new_mail(std::span<const wire::Message> mail) override;
    Result<void> iterate() override;

private:
    void declare_words();
    Result<void> open_session();
    LogSession::Options options();
    std::string time_text() const;
    Result<void> take(const wire::Message& message);
    Result<void> obey(const wire::Message& command);
    Result<void> log_value(const wire::Message& message);
    void register_logged(const bus::LoggedVariable& variable);
    bool is_logged(const std::string& variable) const;
    /// Ends the logs after an error: what was written before is intact.
    Result<void> checked(Result<void> done);
    std::string report_text() const;

    std::string mission_file_;
    std::string path_;
    std::string file_ = "MOOSLog";
    bool file_time_stamp_ = true;
    bool utc_folders_ = false;
    bool async_log_ = true;
    std::string sync_log_ = "false";
    std::vector<std::string> log_words_;
    bool wildcard_logging_ = false;
    std::vector<std::string> patterns_;
    std::vector<std::string> omitted_;
    bool exclusion_log_ = false;
    bool aux_source_ = false;
    bool mark_external_ = false;
    bool mark_type_ = false;
    int decimals_ = 5;
    std::string summary_file_ = "./.LastOpenedMOOSLogDirectory";

    std::vector<bus::LoggedVariable> variables_;
    Duration sync_interval_{0};
    std::unique_ptr<LogSession> session_;
    std::uint64_t omitted_values_ = 0;
    Instant next_flush_{};
    Instant next_tick_{};
};

}  // namespace caribou::app
