#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/web_form.hpp"
#include "base/web_request.hpp"
#include "data/marine_answer.hpp"
#include "data/marine_events.hpp"
#include "marine/scene.hpp"
#include "marine/view_config.hpp"
#include "wire/message.hpp"

namespace caribou::marine {

/// What the page of the marine view asks for: its configuration, what has happened, and to publish what a
/// button or a click means.
///
/// | request | answer |
/// |---|---|
/// | `GET /marine/config.json` | MarineConfig |
/// | `GET /marine/events.json?after=N` | MarineEvents since the answer whose `next` was N; 0: all |
/// | `POST /marine/press`, `kind=button&index=N&vehicle=V`, or `kind=action…` | MarineAnswer |
/// | `POST /marine/press`, `kind=click&side=left&menu=M&x=X&y=Y&vehicle=V` | MarineAnswer |
class ViewFeed {
public:
    static constexpr std::size_t most_events = 20'000;  ///< kept; a page that missed more gets everything
    static constexpr std::size_t most_event_memory = 12_MiB;  ///< the same
    static constexpr std::size_t most_refusals = 20;

    using Write = std::function<Result<void>(const wire::MessageView&)>;

    /// A view of a bus; `write` publishes a value.
    ViewFeed(ViewConfig config, Write write);
    /// A view of the past: all of `events` are known from the start.
    ViewFeed(ViewConfig config, std::vector<data::MarineEvent> events);

    bool reads(std::string_view variable) const;
    /// Applies a value that was published. Does not write.
    void on_value(const wire::MessageView& value, double now);

    /// Returns the answer to a request for one of the paths above, or nullopt for other paths. Requests of
    /// other sites are refused.
    std::optional<WebAnswer> answer(const WebRequest& request, double now);

    const ViewConfig& config() const { return config_; }

private:
    WebAnswer events_since(const WebTarget& target, const WebRequest& request, double now);
    WebAnswer press(const WebRequest& request, double now);
    void press_button(const ViewButton& button, const WebForm& form, double now, data::MarineAnswer& to);
    void click(const WebForm& form, Vec2 at, double now, data::MarineAnswer& to);
    Macros click_macros(const WebForm& form, Vec2 at, bool is_left, double now);
    void write(const std::string& variable, const std::variant<double, std::string>& value,
               data::MarineAnswer& to);
    void refuse(const wire::MessageView& value, const Error& why);
    void flush_writes();

    ViewConfig config_;
    Write write_;
    Scene scene_;
    std::deque<data::MarineEvent> events_;
    std::size_t event_memory_ = 0;  ///< of them
    std::uint64_t first_ = 1;       ///< number of the first of them
    std::map<std::string, std::string> scope_;
    std::uint64_t refused_ = 0;
    std::deque<std::string> refusals_;
    std::vector<std::string> unhandled_;  ///< to be published
    std::uint64_t clicks_[2] = {0, 0};    ///< left and right
    std::uint64_t all_clicks_ = 0;
    double last_redraw_request_ = -1e18;
};

}  // namespace caribou::marine
