#include "marine/view_feed.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "marine/angles.hpp"
#include "marine/fields.hpp"
#include "marine/shape.hpp"

namespace caribou::marine {
namespace {

constexpr std::string_view root = "marine/";
constexpr std::size_t most_unhandled = 100;
constexpr std::size_t longest_quote = 500;  // of a value
constexpr double pause_between_redraws = 2;

WebAnswer json_answer(std::string json) { return {.type = "application/json", .body = std::move(json)}; }

WebAnswer plain_refusal(unsigned status, std::string text) {
    return {.status = status, .type = "text/plain; charset=utf-8", .body = std::move(text)};
}

std::string in_capitals(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return result;
}

double number_of(const WebForm& form, std::string_view name) {
    const auto found = form.find(name);
    return found == form.end() ? 0 : number_in(found->second).value_or(0);
}

std::optional<Vec2> place_in(const WebForm& form) {
    const auto coordinate = [&](std::string_view name) {
        const auto found = form.find(name);
        const auto value = found == form.end() ? std::nullopt : number_in(found->second);
        return value && std::abs(*value) <= most_meters ? value : std::nullopt;
    };
    const auto x = coordinate("x");
    const auto y = coordinate("y");
    return x && y ? std::optional(Vec2{*x, *y}) : std::nullopt;
}

std::string text_in(const WebForm& form, std::string_view name) {
    const auto found = form.find(name);
    return found == form.end() ? "" : found->second;
}

}  // namespace

ViewFeed::ViewFeed(ViewConfig config, Write write)
    : config_(std::move(config)),
      write_(std::move(write)),
      scene_(config_.geodesy, config_.reports, config_.shown.trail_length) {}

ViewFeed::ViewFeed(ViewConfig config, std::vector<data::MarineEvent> events)
    : config_(std::move(config)),
      scene_(config_.geodesy, config_.reports, config_.shown.trail_length),
      events_(std::make_move_iterator(events.begin()), std::make_move_iterator(events.end())) {
    config_.shown.live = false;
}

bool ViewFeed::reads(std::string_view variable) const {
    return scene_.reads(variable) || std::ranges::find(config_.scope, variable) != config_.scope.end();
}

void ViewFeed::on_value(const wire::MessageView& value, double now) {
    if (std::ranges::find(config_.scope, value.key) != config_.scope.end())
        scope_[std::string(value.key)] = value.is_number()
                                             ? short_number(value.value, 6)
                                             : std::string(value.payload.substr(0, longest_quote));
    if (!scene_.reads(value.key) || !value.is_string()) return;
    auto event = scene_.apply({.variable = value.key,
                               .text = value.payload,
                               .community = value.community,
                               .source = value.source,
                               .now = now});
    if (!event) return refuse(value, event.error());
    event_memory_ += memory_of(*event);
    events_.push_back(std::move(*event));
    while (events_.size() > most_events || event_memory_ > most_event_memory) {
        event_memory_ -= memory_of(events_.front());
        events_.pop_front();
        ++first_;
    }
}

void ViewFeed::refuse(const wire::MessageView& value, const Error& why) {
    ++refused_;
    refusals_.push_back(fmt::format("{} from {}: {}", value.key, value.source, why.message));
    if (refusals_.size() > most_refusals) refusals_.pop_front();
    const bool is_report = !value.key.starts_with("VIEW_") && !value.key.starts_with("PMV_");
    if (unhandled_.size() < most_unhandled)
        unhandled_.push_back(fmt::format("Unhandled Mail: var={}, src={}{}{} [{}]", value.key, value.source,
                                         value.aux.empty() ? "" : fmt::format(", aux={}", value.aux),
                                         is_report ? ", reason=:" + why.message : "",
                                         value.payload.substr(0, longest_quote)));
}

std::optional<WebAnswer> ViewFeed::answer(const WebRequest& request, double now) {
    const WebTarget target = parse_target(request.target);
    if (!target.path.starts_with(root)) return std::nullopt;
    if (!is_for_us(request))
        return plain_refusal(403, "This page is available on localhost, 127.0.0.1 and [::1] only.");
    flush_writes();
    const std::string_view path = std::string_view(target.path).substr(root.size());
    const bool reads_only = request.method == "GET" || request.method == "HEAD";
    if (path == "config.json" && reads_only) return json_answer(data::to_json(config_.shown));
    if (path == "events.json" && reads_only) return events_since(target, request, now);
    if (path == "press" && request.method == "POST") return press(request, now);
    return std::nullopt;
}

WebAnswer ViewFeed::events_since(const WebTarget& target, const WebRequest& request, double now) {
    const auto after = static_cast<std::uint64_t>(std::clamp(number_of(target.query, "after"), 0.0, 1e15));
    const std::uint64_t next = first_ + events_.size();
    data::MarineEvents answer{.next = next, .now = now, .refused = refused_};
    scene_.expire(now);
    if (after >= first_ && after <= next) {
        const auto from = static_cast<std::ptrdiff_t>(after - first_);
        answer.events.assign(events_.begin() + from, events_.end());
    } else {
        answer.complete = true;
        answer.events = config_.shown.live ? scene_.everything()
                                           : std::vector<data::MarineEvent>(events_.begin(), events_.end());
        // As pMarineViewer at its start: helms publish their shapes again.
        if (write_ && is_our_own(request) && now - last_redraw_request_ > pause_between_redraws) {
            last_redraw_request_ = now;
            data::MarineAnswer ignored;
            write("HELM_MAP_CLEAR", 0.0, ignored);
            write("PMV_CONNECT", 0.0, ignored);
        }
    }
    for (const auto& [name, value] : scope_) answer.scope.push_back({name, value});
    answer.refusals.assign(refusals_.begin(), refusals_.end());
    return json_answer(data::to_json(answer));
}

WebAnswer ViewFeed::press(const WebRequest& request, double now) {
    if (!is_our_own(request)) return plain_refusal(403, "Values cannot be written from another site.");
    if (!write_) return plain_refusal(403, "A replay writes nothing.");
    const WebForm form = parse_form(request.body);
    const std::string kind = text_in(form, "kind");
    data::MarineAnswer answer;
    if (kind == "click") {
        const auto at = place_in(form);
        if (!at) return plain_refusal(400, "A click needs x and y, in meters.");
        click(form, *at, now, answer);
        return json_answer(data::to_json(answer));
    }
    const auto& all = kind == "action" ? config_.actions : config_.buttons;
    const double index = number_of(form, "index");
    if ((kind != "button" && kind != "action") || index < 0 || index >= static_cast<double>(all.size()))
        return plain_refusal(400, "There is no such button.");
    press_button(all[static_cast<std::size_t>(index)], form, now, answer);
    return json_answer(data::to_json(answer));
}

void ViewFeed::press_button(const ViewButton& button, const WebForm& form, double now,
                            data::MarineAnswer& to) {
    const std::string vehicle = text_in(form, "vehicle");
    const Macros of_variable{{"VNAME", in_capitals(vehicle)}, {"UP_VNAME", in_capitals(vehicle)}};
    const Macros of_value{{"UTC", fmt::format("{:.3f}", now)},
                          {"BIX", fmt::format("{}", all_clicks_)},
                          {"VNAME", vehicle},
                          {"UP_VNAME", in_capitals(vehicle)}};
    ++all_clicks_;
    for (const PokeText& poke : button.pokes)
        write(expanded(poke.variable, of_variable), poke_value(expanded(poke.value, of_value)), to);
}

Macros ViewFeed::click_macros(const WebForm& form, Vec2 at, bool is_left, double now) {
    const std::string vehicle = text_in(form, "vehicle");
    const auto* const picked = scene_.vehicle(vehicle);
    const auto* const nearest = scene_.nearest_vehicle(at);
    const std::string closest = nearest ? nearest->name : "";
    Macros macros{{"XPOS", fmt::format("{:.1f}", at.x)},
                  {"YPOS", fmt::format("{:.1f}", at.y)},
                  {"X", short_number(std::round(at.x), 0)},
                  {"Y", short_number(std::round(at.y), 0)},
                  {"IX", fmt::format("{}", clicks_[is_left ? 0 : 1])},
                  {"BIX", fmt::format("{}", all_clicks_)},
                  {"UTC", fmt::format("{:.3f}", now)},
                  {"VNAME", vehicle},
                  {"UP_VNAME", in_capitals(vehicle)},
                  {"VNAME_CLOSEST", closest},
                  {"UP_VNAME_CLOSEST", in_capitals(closest)}};
    if (config_.geodesy) {
        const Geographic point = config_.geodesy->geographic(at);
        macros["LAT"] = fmt::format("{:.8f}", point.latitude);
        macros["LON"] = fmt::format("{:.8f}", point.longitude);
    }
    if (picked) macros["HDG"] = fmt::format("{:.2f}", heading_of(at - Vec2{picked->x, picked->y}));
    return macros;
}

void ViewFeed::click(const WebForm& form, Vec2 at, double now, data::MarineAnswer& to) {
    const bool is_left = text_in(form, "side") != "right";
    const std::string menu = text_in(form, "menu");
    const Macros macros = click_macros(form, at, is_left, now);
    const auto part = [&](std::string_view name) {
        const auto found = macros.find(name);
        return found == macros.end() ? std::string("0") : found->second;
    };
    write(is_left ? "MVIEWER_LCLICK" : "MVIEWER_RCLICK",
          fmt::format("x={},y={},lat={},lon={},vname={},counter={}", part("XPOS"), part("YPOS"), part("LAT"),
                      part("LON"), part("VNAME"), part("IX")),
          to);
    ++clicks_[is_left ? 0 : 1];
    ++all_clicks_;
    for (const ViewContext& context : config_.contexts)
        if (context.is_left == is_left && (context.menu.empty() || context.menu == menu))
            write(expanded(context.poke.variable, macros), poke_value(expanded(context.poke.value, macros)),
                  to);
}

void ViewFeed::write(const std::string& variable, const std::variant<double, std::string>& value,
                     data::MarineAnswer& to) {
    if (!write_) return;
    wire::MessageView message{.key = variable};
    const auto* const number = std::get_if<double>(&value);
    if (number) {
        message.data_type = wire::DataType::number;
        message.value = *number;
    } else {
        message.data_type = wire::DataType::string;
        message.payload = std::get<std::string>(value);
    }
    if (const auto written = write_(message); !written)
        to.error += (to.error.empty() ? "" : "; ") + written.error().message;
    else
        to.written.push_back({variable, number ? short_number(*number, 6) : std::string(message.payload)});
}

void ViewFeed::flush_writes() {
    data::MarineAnswer ignored;
    for (const std::string& text : std::exchange(unhandled_, {}))
        write("MVIEWER_UNHANDLED_MAIL", text, ignored);
}

}  // namespace caribou::marine
