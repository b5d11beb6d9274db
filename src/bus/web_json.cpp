#include <algorithm>

#include "base/json_writer.hpp"
#include "bus/json_real.hpp"
#include "bus/message_text.hpp"
#include "bus/summaries.hpp"
#include "bus/web.hpp"
#include "bus/web_rows.hpp"

namespace caribou::bus {
namespace {

void write_summary(JsonWriter& to, const Variable& variable) {
    to.begin_object();
    to.member("name", variable.name);
    to.member("type", type_name(variable.type));
    if (variable.is_written()) {
        const wire::MessageView value = variable.value();
        if (value.is_number()) {
            put_real(to, "value", value.value);
        } else if (value.is_binary()) {
            to.member("bytes", value.payload.size());
        } else {
            to.member("value", value.payload.substr(0, web_max_text));
            if (value.payload.size() > web_max_text) to.member("bytes", value.payload.size());
        }
        put_real(to, "time", value.time);
        put_real(to, "written", variable.written);
        to.member("source", value.source);
        to.member("aux", value.aux);
        to.member("community", value.community);
        to.member("writes", variable.writes);
        put_real(to, "hertz", variable.rate.hertz());
    }
    to.end_object();
}

}  // namespace

std::string variables_json(const WebView& view, const WebRows& rows) {
    const auto chosen = choose_rows(view.broker.exchange(), rows);
    JsonWriter to;
    to.begin_object();
    to.member("community", view.broker.exchange().community());
    put_real(to, "now", view.stamp);
    to.member("known", view.broker.exchange().size());
    to.member("clients", view.broker.client_count());
    to.member("journal", !view.journal ? "off" : view.journal->paused ? "paused" : "on");
    to.member("more", chosen.more);
    to.key("variables");
    to.begin_list();
    for (const Variable* variable : chosen.rows) write_summary(to, *variable);
    to.end_list();
    to.end_object();
    return std::move(to).take();
}

std::string clients_json(const WebView& view) {
    auto clients = view.broker.clients();
    const bool more = clients.size() > web_max_rows;
    if (more) clients.resize(web_max_rows);
    JsonWriter to;
    to.begin_object();
    to.member("community", view.broker.exchange().community());
    to.member("more", more);
    to.key("clients");
    to.begin_list();
    for (const Connection* client : clients) to.raw(client_summary(*client));
    to.end_list();
    to.end_object();
    return std::move(to).take();
}

}  // namespace caribou::bus
