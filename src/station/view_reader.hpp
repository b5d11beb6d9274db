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

/// What is seen of one robot, view by view: reads the topics of those that somebody wants, keeps the latest
/// of each, and lets go of everything that nobody wants any more.
class ViewReader {
public:
    /// Loop and transport outlive it. `on_change`: a view shows something else.
    ViewReader(Loop& loop, negotiation::Transport& transport, std::string robot,
               std::function<void(views::View)> on_change);

    /// Replaces what was wanted before.
    void want(const std::set<views::View>& wanted);

    // Null: nothing has come, or nobody wants it.
    const Encoded<wire::Scan>* scan() const { return scan_ ? scan_->latest() : nullptr; }
    const Encoded<wire::Grid>* map() const { return map_ ? map_->latest() : nullptr; }
    const ShownText* text(views::View view) const;

    /// A line about the subscriptions to scan and map: `weight scan delta 5`; `help` tells.
    Result<std::string> command(std::string_view line);

private:
    SourcePlace place(views::View view);
    void apply(views::View view);
    std::string weights_text() const;

    Loop& loop_;
    negotiation::Transport& transport_;
    std::string robot_;
    std::function<void(views::View)> on_change_;
    Weights scan_weights_{{"full", 1}, {"quantised", 2}, {"delta", 3}};
    Weights map_weights_{{"raw", 1}, {"run_length", 2}, {"compressed", 3}};
    std::set<views::View> wanted_;
    std::unique_ptr<EncodedSource<wire::Scan>> scan_;
    std::unique_ptr<EncodedSource<wire::Grid>> map_;
    std::map<views::View, std::unique_ptr<TextSource>> texts_;
};

}  // namespace caribou::station
