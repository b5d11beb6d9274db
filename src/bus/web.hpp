#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "base/web_request.hpp"
#include "bus/broker.hpp"
#include "bus/journal.hpp"

/// The broker's HTTP interface for browsers and programs. Requests and answers are plain values;
/// platform/http_server.hpp transports them.
namespace caribou::bus {

/// The parts of the broker that the HTTP interface shows.
struct WebView {
    const Broker& broker;
    const JournalStats* journal;  ///< nullptr if values are not stored
    double stamp;                 ///< present time
    /// Publishes a value: its key, data type, and value or payload.
    std::function<Result<void>(const wire::MessageView&)> poke;
};

WebAnswer answer(const WebRequest& request, const WebView& view);

/// Row limits of a request, because the broker is blocked while it builds the answer.
inline constexpr std::size_t web_default_rows = 500;
inline constexpr std::size_t web_max_rows = 2'000;
/// Longer strings are truncated in lists.
inline constexpr std::size_t web_max_text = 4'096;

inline constexpr std::size_t web_max_page_text = 256_KiB;

/// The documents, each defined in its own file.
struct WebRows {
    std::string filter = "*";  ///< name pattern
    std::string after{};       ///< only names after this one
    std::size_t limit = web_default_rows;
};
std::string variables_json(const WebView& view, const WebRows& rows);
std::string clients_json(const WebView& view);
/// Returns the metrics in the text format of Prometheus.
std::string metrics_text(const WebView& view);
std::string overview_page(const WebView& view);
std::string variable_page(const WebView& view, const Variable& variable);
std::string message_page(std::string_view title, std::string_view text);
/// Returns a page in the style of the others. `body` is HTML.
std::string web_page(std::string_view title, std::string_view body);
std::string web_escaped(std::string_view text);

}  // namespace caribou::bus
