#include "caribou/marine_page.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "platform/text_file.hpp"
#include "wire/codec.hpp"

namespace caribou::app {
namespace {

namespace fs = std::filesystem;

/// Image types that browsers show; a TIFF is replaced by such an image beside it.
constexpr std::pair<std::string_view, std::string_view> image_types[] = {
    {".png", "image/png"}, {".jpg", "image/jpeg"}, {".jpeg", "image/jpeg"}};

std::string_view image_type(const fs::path& path) {
    for (const auto& [end, type] : image_types)
        if (path.extension() == end) return type;
    return {};
}

Result<fs::path> find_image(const fs::path& named) {
    std::error_code ignored;
    if (!image_type(named).empty() && fs::exists(named, ignored)) return named;
    for (const auto& [end, type] : image_types) {
        fs::path other = named;
        other.replace_extension(end);
        if (fs::exists(other, ignored)) return other;
    }
    return fail(Code::not_found,
                fmt::format("there is no image {}; expected a .png or .jpg of that name", named.string()));
}

Result<data::MarineBackground> read_background(const marine::ViewConfig& config, fs::path& image) {
    auto found = find_image(image);
    if (!found) return fail(std::move(found.error()));
    image = std::move(*found);
    fs::path info = image;
    info.replace_extension(".info");
    const auto text = read_text_file(info.string(), 64_KiB);
    if (!text) return fail(text.error());
    auto edges = marine::background_edges(*text, config.geodesy ? &*config.geodesy : nullptr);
    if (!edges)
        return fail(Code::malformed,
                    fmt::format("{}: expected lat_north, lat_south, lon_east and lon_west, and an origin",
                                info.string()));
    edges->address = "/marine/background";
    return *edges;
}

}  // namespace

marine::ViewConfig marine_view_config(const bus::Mission& mission) {
    marine::ViewConfig config = marine::view_config(mission);
    if (config.image.empty()) return config;
    fs::path image = fs::path(mission.path).parent_path() / config.image;
    const auto background = read_background(config, image);
    if (background) {
        config.image = image.string();
        config.shown.background = *background;
    } else {
        const auto* const block = mission.find_block("pMarineViewer");
        const auto* const setting = block ? block->find("tiff_file") : nullptr;
        config.image.clear();
        config.findings.push_back({bus::MissionFinding::Kind::warning, setting ? setting->line : 1,
                                   "tiff_file: " + background.error().message});
    }
    return config;
}

MarinePage::MarinePage(marine::ViewFeed feed, StaticFiles files)
    : feed_(std::move(feed)), files_(std::move(files)) {
    const std::string& path = feed_.config().image;
    if (path.empty()) return;
    if (auto bytes = read_text_file(path)) image_ = std::move(*bytes);
    image_type_ = image_type(path);
}

std::optional<WebAnswer> MarinePage::answer(const WebRequest& request, double now) {
    const WebTarget target = parse_target(request.target);
    if (auto answer = feed_.answer(request, now)) return answer;
    const bool is_page = target.path == "marine" || target.path == "marine/";
    if (!is_page && !target.path.starts_with("assets/") && target.path != "icon.svg" &&
        target.path != "marine/background")
        return std::nullopt;
    if (!is_for_us(request))
        return WebAnswer{
            .status = 403, .type = "text/plain; charset=utf-8", .body = "Refused: use localhost."};
    if (target.path == "marine/background" && !image_.empty())
        return WebAnswer{.type = image_type_, .body = image_};
    if (is_page && files_.empty())
        return WebAnswer{
            .status = 404,
            .type = "text/plain; charset=utf-8",
            .body = "The files of the page are not beside this program; ./run build makes them."};
    WebRequest file = request;
    if (is_page) file.target = "/marine.html";
    return files_.answer(file);
}

BrokerMarineView::BrokerMarineView(marine::ViewConfig config, StaticFiles files, bus::BrokerServer& server)
    : server_(server),
      page_(marine::ViewFeed(
                std::move(config),
                [&server](const wire::MessageView& value) { return server.poke("marine_view", value); }),
            std::move(files)) {
    const marine::ViewConfig& known = page_.feed().config();
    std::vector<std::string> patterns{"VIEW_*", "PMV_CLEAR", "PMV_CENTER", "TRAIL_RESET"};
    patterns.insert(patterns.end(), known.reports.begin(), known.reports.end());
    patterns.insert(patterns.end(), known.scope.begin(), known.scope.end());
    server_.watch(*this, patterns);
}

BrokerMarineView::~BrokerMarineView() { server_.unwatch(*this); }

void BrokerMarineView::deliver(const bus::MessageRun& run) {
    run.for_each([this](ByteView message) {
        if (const auto value = wire::decode_message(message)) page_.feed().on_value(*value, server_.stamp());
    });
}

}  // namespace caribou::app
