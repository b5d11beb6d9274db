#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/log.hpp"
#include "base/static_files.hpp"
#include "bus/broker_server.hpp"
#include "bus/mission.hpp"
#include "marine/view_feed.hpp"

namespace caribou::app {

/// Returns the configuration of the marine view for a mission, with the edges of its background image, which
/// is looked for beside the mission file. What is wrong with the image is among the findings.
marine::ViewConfig marine_view_config(const bus::Mission& mission);

/// The page of the marine view with its files, its data and its background image.
class MarinePage {
public:
    MarinePage(marine::ViewFeed feed, StaticFiles files);

    /// Returns nullopt for paths that do not belong to the page.
    std::optional<WebAnswer> answer(const WebRequest& request, double now);
    marine::ViewFeed& feed() { return feed_; }
    /// Returns whether the files of the page are installed.
    bool has_files() const { return !files_.empty(); }

private:
    marine::ViewFeed feed_;
    StaticFiles files_;
    std::string image_;
    std::string image_type_;
};

/// The marine view of a broker, which receives values without being a client.
class BrokerMarineView final : bus::Member {
public:
    /// The server must outlive this object.
    BrokerMarineView(marine::ViewConfig config, StaticFiles files, bus::BrokerServer& server);
    ~BrokerMarineView() override;

    std::optional<WebAnswer> answer(const WebRequest& request) {
        return page_.answer(request, server_.stamp());
    }
    bool has_files() const { return page_.has_files(); }

private:
    void deliver(const bus::MessageRun& run) override;
    std::string_view name() const override { return "marine_view"; }

    bus::BrokerServer& server_;
    MarinePage page_;
};

}  // namespace caribou::app
