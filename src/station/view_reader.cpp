#include "station/view_reader.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "base/suggestion.hpp"
#include "base/words.hpp"

namespace caribou::station {

using views::View;

namespace {

constexpr int most_weight = 1000;

}  // namespace

ViewReader::ViewReader(Loop& loop, negotiation::Transport& transport, std::string robot,
                       std::function<void(View)> on_change)
    : loop_(loop), transport_(transport), robot_(std::move(robot)), on_change_(std::move(on_change)) {}

void ViewReader::want(const std::set<View>& wanted) {
    const std::set<View> before = std::exchange(wanted_, wanted);
    if (wanted_.contains(View::map)) wanted_.insert(View::places);
    for (const View view : views::all_views)
        if (before.contains(view) != wanted_.contains(view)) apply(view);
}

SourcePlace ViewReader::place(View view) {
    return {loop_, transport_, topic_of(robot_, view),
            [this, view] { on_change_(view == View::places ? View::map : view); }};
}

void ViewReader::apply(View view) {
    const bool wanted = wanted_.contains(view);
    if (view == View::scan)
        scan_ = wanted ? std::make_unique<EncodedSource<wire::Scan>>(place(view), scan_weights_) : nullptr;
    else if (view == View::map)
        map_ = wanted ? std::make_unique<EncodedSource<wire::Grid>>(place(view), map_weights_) : nullptr;
    else if (view == View::camera)
        camera_ = wanted ? std::make_unique<EncodedSource<wire::CameraImage>>(place(view), camera_weights_)
                         : nullptr;
    else if (wanted)
        texts_[view] = std::make_unique<TextSource>(place(view));
    else
        texts_.erase(view);
    if (!wanted && view != View::places) on_change_(view);
}

void ViewReader::choose_camera(views::CameraEncoding encoding) {
    if (std::exchange(camera_choice_, encoding) == encoding) return;
    switch (encoding) {
        case views::CameraEncoding::full: camera_weights_ = {{"full", 3}, {"half", 2}, {"gray", 1}}; break;
        case views::CameraEncoding::half: camera_weights_ = {{"half", 3}, {"gray", 2}, {"full", 1}}; break;
        case views::CameraEncoding::gray: camera_weights_ = {{"gray", 3}, {"half", 2}, {"full", 1}}; break;
    }
    if (wanted_.contains(View::camera)) apply(View::camera);
}

Weights& ViewReader::weights_of(View view) {
    return view == View::scan ? scan_weights_ : view == View::map ? map_weights_ : camera_weights_;
}

const ShownText* ViewReader::text(View view) const {
    const auto found = texts_.find(view);
    return found == texts_.end() ? nullptr : found->second->latest();
}

Result<std::string> ViewReader::command(std::string_view line) {
    static const std::vector<std::string> known{"show", "weight", "subscribe", "unsubscribe", "help"};
    const std::vector<std::string> words = words_in(line);
    const std::string_view word = words.empty() ? "" : std::string_view(words[0]);
    if (word == "help")
        return std::string(
            "show: the encodings that the station requests, with their weights\n"
            "weight TOPIC TYPE WEIGHT: set the weight of an encoding of scan, map or camera\n"
            "subscribe TOPIC TYPE WEIGHT: request this one as well\n"
            "unsubscribe TOPIC TYPE: request it no longer\n");
    if (word == "show") return weights_text();
    const bool gives = word == "weight" || word == "subscribe";
    if (!gives && word != "unsubscribe")
        return fail(Code::invalid_argument,
                    fmt::format("there is no `{}` for topics{}", word, instead_of(word, known)));
    const auto weight = words.size() == 4 ? number_in(words[3]) : std::nullopt;
    if (words.size() != (gives ? 4U : 3U) || (gives && !weight))
        return fail(Code::invalid_argument,
                    fmt::format("it is `{} TOPIC TYPE{}`", word, gives ? " WEIGHT" : ""));
    if (weight && (*weight < 0 || *weight > most_weight))
        return fail(Code::invalid_argument,
                    fmt::format("a weight is a number from 0 to {}, not {}", most_weight, words[3]));
    const auto view = views::view_from(words[1].substr(words[1].rfind('/') + 1));
    if (view != View::scan && view != View::map && view != View::camera)
        return fail(Code::invalid_argument,
                    fmt::format("scan, map and camera are negotiated, `{}` is not", words[1]));
    static const std::vector<std::string> scans{"full", "quantised", "delta"};
    static const std::vector<std::string> maps{"raw", "run_length", "compressed"};
    static const std::vector<std::string> images{"full", "half", "gray"};
    const std::vector<std::string>& types = view == View::scan ? scans : view == View::map ? maps : images;
    if (std::ranges::find(types, words[2]) == types.end())
        return fail(Code::invalid_argument, fmt::format("no {} is encoded as `{}`{}", to_string(*view),
                                                        words[2], instead_of(words[2], types)));
    Weights& weights = weights_of(*view);
    if (word == "weight" && !weights.contains(words[2]))
        return fail(Code::wrong_state, fmt::format("{} is not taken; `subscribe` takes it", words[2]));
    if (weight)
        weights[words[2]] = *weight;
    else
        weights.erase(words[2]);
    if (wanted_.contains(*view)) apply(*view);
    return weights_text();
}

std::string ViewReader::weights_text() const {
    std::string text;
    for (const auto& [topic, weights] :
         {std::pair("scan", &scan_weights_), {"map", &map_weights_}, {"camera", &camera_weights_}})
        for (const auto& [type, weight] : *weights)
            text += fmt::format("{} {} {}\n", topic, type, number_text(weight));
    return text.empty() ? "nothing is taken\n" : text;
}

}  // namespace caribou::station
