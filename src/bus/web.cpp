#include "bus/web.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/web_form.hpp"

namespace caribou::bus {
namespace {

WebAnswer refuse(unsigned status, std::string_view title, std::string_view text) {
    return {.status = status, .body = message_page(title, text)};
}

std::optional<double> number_in(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// Writes a value of the variable's type, or of a new variable: a number if it parses as one.
Result<void> poke(const WebView& view, std::string_view name, std::string_view text) {
    if (name.empty()) return fail(Code::invalid_argument, "missing variable name");
    const Variable* const known = view.broker.exchange().find(name);
    wire::MessageView value{.key = name};
    const auto number = number_in(text);
    const auto type = known && known->is_written() ? known->type
                      : number                     ? wire::DataType::number
                                                   : wire::DataType::string;
    if (type == wire::DataType::binary)
        return fail(Code::refused, fmt::format("{} is binary and cannot be written from this page", name));
    if (type == wire::DataType::number && !number)
        return fail(Code::invalid_argument, fmt::format("{} is a number; `{}` is not", name, text));
    value.data_type = type;
    if (type == wire::DataType::number)
        value.value = *number;
    else
        value.payload = text;
    return view.poke(value);
}

WebAnswer answer_poke(const WebRequest& request, const WebView& view, std::string_view name,
                      const WebForm& form) {
    if (!is_our_own(request))
        return refuse(403, "Refused",
                      "Values cannot be written from another site. Use this page, or a program.");
    const auto value = form.find("NewValue");
    if (value == form.end()) return refuse(400, "Missing value", "The form has no field NewValue.");
    if (auto done = poke(view, name, value->second); !done)
        return refuse(400, "Not written", done.error().message);
    return {.status = 303, .body = "", .location = "/" + percent_encoded(name)};
}

Result<WebRows> rows_in(const WebForm& query) {
    WebRows rows;
    if (const auto filter = query.find("filter"); filter != query.end() && !filter->second.empty())
        rows.filter = filter->second;
    if (const auto after = query.find("after"); after != query.end()) rows.after = after->second;
    if (const auto limit = query.find("limit"); limit != query.end()) {
        const auto number = number_in(limit->second);
        if (!number || !(*number >= 1) || *number > static_cast<double>(web_max_rows))
            return fail(Code::invalid_argument,
                        fmt::format("limit: `{}` is not a number from 1 to {}", limit->second, web_max_rows));
        rows.limit = static_cast<std::size_t>(*number);
    }
    return rows;
}

WebAnswer answer_get(const WebTarget& target, const WebView& view) {
    const std::string json = "application/json";
    if (target.path.empty()) return {.body = overview_page(view)};
    if (target.path == "variables.json") {
        const auto rows = rows_in(target.query);
        if (!rows) return refuse(400, "Bad request", rows.error().message);
        return {.type = json, .body = variables_json(view, *rows)};
    }
    if (target.path == "clients.json") return {.type = json, .body = clients_json(view)};
    if (target.path == "metrics")
        return {.type = "text/plain; version=0.0.4; charset=utf-8", .body = metrics_text(view)};
    if (const Variable* variable = view.broker.exchange().find(target.path))
        return {.body = variable_page(view, *variable)};
    return refuse(404, "Not found", fmt::format("There is no variable {}.", target.path));
}

}  // namespace

WebAnswer answer(const WebRequest& request, const WebView& view) {
    if (!is_for_us(request))
        return refuse(403, "Refused", "This page is available on localhost, 127.0.0.1 and [::1] only.");
    const WebTarget target = parse_target(request.target);
    const bool posts = request.method == "POST";
    if (!posts && request.method != "GET" && request.method != "HEAD")
        return refuse(405, "Method not allowed", "Only GET, HEAD and POST are supported.");
    const WebForm form = posts ? parse_form(request.body) : target.query;
    const auto named = form.find("VariableToPoke");
    if (named != form.end()) return answer_poke(request, view, named->second, form);
    if (posts || (!target.path.empty() && form.contains("NewValue")))
        return answer_poke(request, view, target.path, form);
    return answer_get(target, view);
}

}  // namespace caribou::bus
