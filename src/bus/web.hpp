#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "base/web_request.hpp"
#include "bus/broker.hpp"
#include "bus/journal.hpp"

/// The broker's window for browsers and for programs that speak HTTP. Requests and answers are plain
/// values here; platform/http_server.hpp carries them.
namespace caribou::bus {

/// The broker, as far as the window shows it.
struct WebView {
    const Broker& broker;
    const JournalStats* journal;  ///< nullptr: values are not kept
    double stamp;                 ///< now
    /// Writes a value: its key, data type, and value or payload.
    std::function<Result<void>(const wire::MessageView&)> poke;
};

WebAnswer answer(const WebRequest& request, const WebView& view);

/// What a request may ask for at once: the broker does nothing else meanwhile.
inline constexpr std::size_t web_default_rows = 500;
inline constexpr std::size_t web_max_rows = 2'000;
/// Longer strings are cut in lists.
inline constexpr std::size_t web_max_text = 4'096;

inline constexpr std::size_t web_max_page_text = 256_KiB;

/// The parts, each a file of its own.
struct WebRows {
    std::string filter = "*";  ///< a pattern of names
    std::string after{};       ///< names behind this one
    std::size_t limit = web_default_rows;
};
std::string variables_json(const WebView& view, const WebRows& rows);
std::string clients_json(const WebView& view);
/// In the text format of Prometheus.
std::string metrics_text(const WebView& view);
std::string overview_page(const WebView& view);
std::string variable_page(const WebView& view, const Variable& variable);
std::string message_page(std::string_view title, std::string_view text);

}  // namespace caribou::bus
