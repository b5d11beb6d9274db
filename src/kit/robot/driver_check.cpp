#include "kit/robot/driver_check.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "platform/event_loop.hpp"
#include "platform/system_processes.hpp"

namespace caribou::app {
namespace {

constexpr Duration driver_check_limit = std::chrono::seconds(10);

/// Takes the first line that a program prints, and how it ends.
class FirstComplaint final : public ProcessEvents {
public:
    void on_line(std::string_view line) override {
        if (text.empty()) text = line;
    }
    void on_end(const ProcessEnd& how) override { end = how; }

    std::string text;
    std::optional<ProcessEnd> end;
};

bool is_own_driver(const std::vector<std::string>& words) {
    return words.size() > 1 && std::filesystem::path(words[0]).filename() == "caribou" &&
           words[1] == "driver";
}

}  // namespace

Result<void> check_own_driver(const robot::RobotConfig& config) {
    std::vector<std::string> words = config.body_command;
    if (config.body != "driver" || !is_own_driver(words)) return {};
    words.emplace_back("--check");
    EventLoop loop;
    SystemProcesses processes(loop);
    FirstComplaint complaint;
    const auto process = processes.start(words, complaint);
    if (!process) return fail(process.error());
    loop.run_until([&] { return complaint.end.has_value(); }, driver_check_limit);
    if (!complaint.end) return fail(Code::timed_out, "the driver does not end its check");
    if (complaint.end->good()) return {};
    return fail(Code::invalid_argument, complaint.text);
}

}  // namespace caribou::app
