#include "base/static_files.hpp"

#include <array>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fmt/format.h>

#include "base/web_form.hpp"

namespace caribou {
namespace {

constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

std::string_view type_of(std::string_view path) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> types{{
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".woff2", "font/woff2"},
    }};
    for (const auto& [ending, type] : types)
        if (path.ends_with(ending)) return type;
    return "application/octet-stream";
}

/// Returns whether an Accept-Encoding field such as `br, gzip;q=0.8` allows gzip. `gzip;q=0` forbids it.
bool takes_gzip(std::string_view accepted) {
    const std::size_t at = accepted.find("gzip");
    if (at == std::string_view::npos) return false;
    std::string weight(accepted.substr(at + 4, accepted.substr(at).find(',') - 4));
    std::erase(weight, ' ');
    return !weight.starts_with(";q=0") || weight.find_first_of("123456789") != std::string::npos;
}

}  // namespace

StaticFiles::StaticFiles(Table files) {
    for (auto& [path, content] : files) {
        if (path.ends_with(".gz")) continue;
        File file{.content = std::move(content), .compressed = {}, .tag = {}};
        if (const auto packed = files.find(path + ".gz"); packed != files.end())
            file.compressed = std::move(packed->second);
        file.tag = fmt::format("\"{:016x}\"", XXH3_64bits(file.content.data(), file.content.size()));
        files_.emplace(path, std::move(file));
    }
}

std::optional<WebAnswer> StaticFiles::answer(const WebRequest& request) const {
    if (request.method != "GET" && request.method != "HEAD") return std::nullopt;
    std::string path = parse_target(request.target).path;
    if (path.empty()) path = "index.html";
    const auto found = files_.find(path);
    if (found == files_.end()) return std::nullopt;
    const File& file = found->second;

    WebAnswer answer{.type = std::string(type_of(path)), .fields = {}};
    const bool packed = !file.compressed.empty() && takes_gzip(request.accept_encoding);
    answer.fields = {
        {"Cache-Control", path.starts_with("assets/") ? "public, max-age=31536000, immutable" : "no-cache"},
        {"ETag", file.tag},
        {"Vary", "Accept-Encoding"},
        {"Content-Security-Policy", std::string(policy)},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
    };
    if (request.if_none_match.find(file.tag) != std::string::npos) {
        answer.status = 304;
        return answer;
    }
    if (packed) answer.fields.emplace_back("Content-Encoding", "gzip");
    answer.body = packed ? file.compressed : file.content;
    return answer;
}

}  // namespace caribou
