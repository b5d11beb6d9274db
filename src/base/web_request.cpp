#include "base/web_request.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace caribou {
namespace {

/// Returns the host name or IP address without the port.
std::string_view host_name(std::string_view host) {
    const std::size_t from = host.starts_with('[') ? std::min(host.find(']'), host.size()) : 0;
    return host.substr(0, host.find(':', from));
}

/// Returns nullopt for an empty or malformed number. Numbers that do not fit are clamped to the maximum.
std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || end != text.data() + text.size()) return std::nullopt;
    return error == std::errc::result_out_of_range ? UINT64_MAX : number;
}

/// First byte, and one past the last byte.
using Range = std::pair<std::uint64_t, std::uint64_t>;

/// Parses `bytes=2-5`, `bytes=2-` or `bytes=-4`. Returns nullopt if it is not a single valid range.
std::optional<Range> range_in(std::string_view text, std::uint64_t size) {
    constexpr std::string_view unit = "bytes=";
    const std::size_t dash = text.find('-');
    if (!text.starts_with(unit) || dash == std::string_view::npos) return std::nullopt;
    const auto first = whole_number(text.substr(unit.size(), dash - unit.size()));
    const auto last = whole_number(text.substr(dash + 1));
    const bool from_the_end = dash == unit.size();
    if (from_the_end && last) return Range{size - std::min(*last, size), size};
    if (!first || (!last && dash + 1 != text.size()) || (last && *last < *first)) return std::nullopt;
    return Range{*first, last && *last < size ? *last + 1 : size};
}

}  // namespace

WebAnswer web_file(const WebRequest& request, std::string type, ByteView file,
                   std::shared_ptr<const void> holder) {
    WebAnswer answer{.type = std::move(type),
                     .fields = {{"Accept-Ranges", "bytes"}},
                     .bytes = file,
                     .holder = std::move(holder)};
    const auto range = range_in(request.range, file.size());
    if (!range) return answer;
    const auto [first, end] = *range;
    if (first >= end)
        return {.status = 416,
                .type = "text/plain; charset=utf-8",
                .body = fmt::format("There are {} bytes.\n", file.size()),
                .fields = {{"Content-Range", fmt::format("bytes */{}", file.size())}}};
    answer.status = 206;
    answer.bytes = file.subspan(first, end - first);
    answer.fields.emplace_back("Content-Range", fmt::format("bytes {}-{}/{}", first, end - 1, file.size()));
    return answer;
}

bool is_for_us(const WebRequest& request, std::span<const std::string> others) {
    constexpr std::string_view names[] = {"localhost", "127.0.0.1", "[::1]"};
    const std::string_view name = host_name(request.host);
    return std::ranges::find(names, name) != std::end(names) ||
           std::ranges::find(others, name) != others.end();
}

std::string_view cookie_of(const WebRequest& request, std::string_view name) {
    std::string_view rest = request.cookie;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(';'), rest.size());
        std::string_view one = rest.substr(0, end);
        while (one.starts_with(' ')) one.remove_prefix(1);
        if (one.starts_with(name) && one.substr(name.size()).starts_with('='))
            return one.substr(name.size() + 1);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

bool offers_protocol(const WebRequest& request, std::string_view protocol) {
    std::string_view rest = request.protocols;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        std::string_view one = rest.substr(0, end);
        while (one.starts_with(' ')) one.remove_prefix(1);
        while (one.ends_with(' ')) one.remove_suffix(1);
        if (one == protocol) return request.upgrade;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

bool is_our_own(const WebRequest& request) {
    if (!request.origin.empty() && request.origin != "http://" + request.host) return false;
    if (!request.fetch_site.empty())
        return request.fetch_site == "same-origin" || request.fetch_site == "none";
    const bool browser = request.user_agent.starts_with("Mozilla/");
    return !browser || !request.origin.empty();
}

}  // namespace caribou
