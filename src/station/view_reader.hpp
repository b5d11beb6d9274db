#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "station/view_source.hpp"
#include "views/view.hpp"

namespace caribou::station {

/// The views of one robot: reads the topics of wanted views, keeps the latest message of each, and discards
/// views that are no longer wanted.
class ViewReader {
public:
    /// Loop and transport must outlive this object. `on_change` is called when a view has changed.
    ViewReader(Loop& loop, negotiation::Transport& transport, std::string robot,
               std::function<void(views::View)> on_change);

    /// Replaces the set of wanted views.
    void want(const std::set<views::View>& wanted);

    // Returns null if nothing has arrived, or if the view is not wanted.
    const Encoded<wire::Scan>* scan() const { return scan_ ? scan_->latest() : nullptr; }
    const Encoded<wire::Grid>* map() const { return map_ ? map_->latest() : nullptr; }
    const Encoded<wire::CameraImage>* camera() const { return camera_ ? camera_->latest() : nullptr; }
    const ShownText* text(views::View view) const;

    /// Prefers an encoding of the camera; the others remain acceptable, the smaller ones more than the
    /// larger.
    void choose_camera(views::CameraEncoding encoding);

    /// Executes a command line about the subscriptions to scan, map and camera: `weight scan delta 5`; `help`
    /// lists the commands.
    Result<std::string> command(std::string_view line);

private:
    SourcePlace place(views::View view);
    void apply(views::View view);
    std::string weights_text() const;
    Weights& weights_of(views::View view);

    Loop& loop_;
    negotiation::Transport& transport_;
    std::string robot_;
    std::function<void(views::View)> on_change_;
    Weights scan_weights_{{"full", 1}, {"quantised", 2}, {"delta", 3}};
    Weights map_weights_{{"raw", 1}, {"run_length", 2}, {"compressed", 3}};
    Weights camera_weights_{{"full", 3}, {"half", 2}, {"gray", 1}};
    views::CameraEncoding camera_choice_ = views::CameraEncoding::full;
    std::set<views::View> wanted_;
    std::unique_ptr<EncodedSource<wire::Scan>> scan_;
    std::unique_ptr<EncodedSource<wire::Grid>> map_;
    std::unique_ptr<EncodedSource<wire::CameraImage>> camera_;
    std::map<views::View, std::unique_ptr<TextSource>> texts_;
};

}  // namespace caribou::station
