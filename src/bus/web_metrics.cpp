#include <iterator>

#include <fmt/format.h>

#include "bus/web.hpp"

namespace caribou::bus {
namespace {

class Metrics {
public:
    /// Writes the HELP and TYPE lines of a metric.
    Metrics& about(std::string_view name, std::string_view type, std::string_view help) {
        name_ = name;
        fmt::format_to(std::back_inserter(text_), "# HELP caribou_{} {}\n# TYPE caribou_{} {}\n", name, help,
                       name, type);
        return *this;
    }
    template <class Number>
    Metrics& line(Number value, std::string_view labels = "") {
        fmt::format_to(std::back_inserter(text_), "caribou_{}{} {}\n", name_, labels, value);
        return *this;
    }
    std::string text() && { return std::move(text_); }

private:
    std::string_view name_;
    std::string text_;
};

void add_journal(Metrics& metrics, const JournalStats& journal) {
    metrics.about("journal_paused", "gauge", "1 while the disk refuses writes.").line(journal.paused ? 1 : 0);
    metrics.about("journal_batches_total", "counter", "Batches of values written.").line(journal.batches);
    metrics.about("journal_bytes_total", "counter", "Bytes written.").line(journal.bytes);
    metrics.about("journal_compactions_total", "counter", "Files rewritten.").line(journal.compactions);
    metrics.about("journal_failures_total", "counter", "Writes that failed.").line(journal.failures);
    metrics.about("journal_file_bytes", "gauge", "Size of the file.").line(journal.file_size);
    metrics.about("journal_last_step_seconds", "gauge", "Time until the last batch was durable.")
        .line(to_seconds(journal.last_step));
}

}  // namespace

std::string metrics_text(const WebView& view) {
    const Broker& broker = view.broker;
    const Traffic traffic = broker.traffic();
    constexpr std::string_view in = "{direction=\"in\"}";
    constexpr std::string_view out = "{direction=\"out\"}";
    Metrics metrics;
    metrics.about("clients", "gauge", "Connected clients.").line(broker.client_count());
    metrics.about("variables", "gauge", "Known variables.").line(broker.exchange().size());
    metrics.about("uptime_seconds", "gauge", "Since the start, or the last DB_CLEAR.")
        .line(view.stamp - broker.started());
    metrics.about("messages_total", "counter", "Messages from and to clients.")
        .line(traffic.messages_in, in)
        .line(traffic.messages_out, out);
    metrics.about("bytes_total", "counter", "Bytes from and to clients.")
        .line(traffic.bytes_in, in)
        .line(traffic.bytes_out, out);
    metrics.about("refused_messages_total", "counter", "Messages refused.").line(traffic.refused);
    metrics.about("backlog_bytes", "gauge", "Bytes waiting for clients to read.").line(broker.backlog());
    metrics.about("backlog_thinned_messages_total", "counter", "Values not delivered to slow clients.")
        .line(traffic.collapsed, "{why=\"collapsed\"}")
        .line(traffic.dropped, "{why=\"dropped\"}");
    if (view.journal) add_journal(metrics, *view.journal);
    return std::move(metrics).text();
}

}  // namespace caribou::bus
