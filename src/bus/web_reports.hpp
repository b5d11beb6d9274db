#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/web_request.hpp"
#include "bus/appcast_board.hpp"
#include "bus/outbox.hpp"
#include "bus/variable.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// The reports of apps (APPCAST) on the broker's web page: `/appcasts`. Requests them while a browser shows
/// the page. A reader of the broker, not a client.
class WebReports final : public Member {
public:
    /// Publishes a string in a variable.
    using Publish = std::function<void(std::string_view variable, std::string_view value)>;

    static constexpr Duration request_interval = std::chrono::milliseconds(600);
    static constexpr std::size_t most_rows = 2'000;

    /// `warp`: the time warp of the community.
    WebReports(std::string community, double warp, Publish publish);

    void deliver(const MessageRun& run) override;
    std::string_view name() const override { return "DBWebServer"; }
    /// Returns the answer to a request for `/appcasts` or `/appcasts.json`, nullopt to others.
    std::optional<WebAnswer> answer(const WebRequest& request, Instant now);

private:
    void request_reports(Instant now);
    std::string rows_json() const;

    std::string community_;
    double warp_;
    Publish publish_;
    AppCastBoard board_;
    std::optional<Instant> requested_{};
};

}  // namespace caribou::bus
