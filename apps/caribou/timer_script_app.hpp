#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bus/app.hpp"
#include "bus/logic_condition.hpp"
#include "bus/timer_script.hpp"

namespace caribou::app {

/// Publishes the events of a script, as uTimerScript does: reads its block, and obeys the variables that
/// pause, forward and reset it.
class TimerScriptApp final : public bus::App {
public:
    static constexpr const char* default_name = "uTimerScript";

    explicit TimerScriptApp(bus::AppFrame& frame);

    Result<void> on_start_up() override;
    Result<void> on_connect_to_server() override;
    Result<void> on_new_mail(std::span<const wire::Message> mail) override;
    Result<void> iterate() override;

private:
    bus::TimerScript::Settings settings() const;
    void obey(const wire::Message& message);
    bool runs() const;
    bus::TimerScript::Facts facts();
    void publish(const bus::TimerScript::Post& post);

    std::vector<std::string> events_;
    std::vector<std::string> macros_;
    std::vector<std::string> condition_words_;
    std::vector<std::string> block_on_;
    std::string script_name_ = "unnamed";
    std::string reset_time_ = "none";
    std::string reset_max_ = "nolimit";
    std::string delay_start_ = "0";
    std::string delay_reset_ = "0";
    std::string time_zero_ = "script_start";
    std::string upon_awake_ = "n/a";
    std::string pause_var_ = "UTS_PAUSE";
    std::string forward_var_ = "UTS_FORWARD";
    std::string reset_var_ = "UTS_RESET";
    std::string status_var_ = "UTS_STATUS";
    double time_warp_ = 1;
    bool shuffle_ = true;
    bool atomic_ = false;
    bool paused_ = false;

    std::optional<bus::TimerScript> script_;
    std::vector<bus::LogicCondition> conditions_;
    std::vector<std::string> programs_;  ///< of block_on
    std::map<std::string, wire::Message, std::less<>> latest_;
    Instant next_status_{};
};

}  // namespace caribou::app
