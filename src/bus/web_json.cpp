#include <algorithm>

#include <nlohmann/json.hpp>

#include "bus/message_text.hpp"
#include "bus/summaries.hpp"
#include "bus/web.hpp"
#include "bus/web_rows.hpp"

namespace caribou::bus {
namespace {

using Json = nlohmann::ordered_json;

/// Names and values come from outside and may not be valid UTF-8.
std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json summary(const Variable& variable) {
    Json json = {{"name", variable.name}, {"type", type_name(variable.type)}};
    if (!variable.is_written()) return json;
    const wire::MessageView value = variable.value();
    if (value.is_number()) {
        json["value"] = value.value;
    } else if (value.is_binary()) {
        json["bytes"] = value.payload.size();
    } else {
        json["value"] = value.payload.substr(0, web_max_text);
        if (value.payload.size() > web_max_text) json["bytes"] = value.payload.size();
    }
    json["time"] = value.time;
    json["written"] = variable.written;
    json["source"] = value.source;
    json["aux"] = value.aux;
    json["community"] = value.community;
    json["writes"] = variable.writes;
    json["hertz"] = variable.rate.hertz();
    return json;
}

}  // namespace

std::string variables_json(const WebView& view, const WebRows& rows) {
    const auto chosen = choose_rows(view.broker.exchange(), rows);
    Json all = Json::array();
    for (const Variable* variable : chosen.rows) all.push_back(summary(*variable));
    return text_of({{"community", view.broker.exchange().community()},
                    {"now", view.stamp},
                    {"known", view.broker.exchange().size()},
                    {"clients", view.broker.client_count()},
                    {"journal", !view.journal          ? "off"
                                : view.journal->paused ? "paused"
                                                       : "on"},
                    {"more", chosen.more},
                    {"variables", std::move(all)}});
}

std::string clients_json(const WebView& view) {
    Json all = Json::array();
    auto clients = view.broker.clients();
    const bool more = clients.size() > web_max_rows;
    if (more) clients.resize(web_max_rows);
    for (const Connection* client : clients) all.push_back(Json::parse(client_summary(*client)));
    return text_of(
        {{"community", view.broker.exchange().community()}, {"more", more}, {"clients", std::move(all)}});
}

}  // namespace caribou::bus
