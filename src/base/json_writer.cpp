#include "base/json_writer.hpp"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "base/check.hpp"
#include "base/json_text.hpp"
#include "base/number_text.hpp"

namespace caribou {

void JsonWriter::separate() {
    if (!is_first_) json_ += ',';
    is_first_ = false;
}

void JsonWriter::open(char bracket) {
    separate();
    json_ += bracket;
    is_first_ = true;
}

void JsonWriter::close(char bracket) {
    json_ += bracket;
    is_first_ = false;
}

void JsonWriter::value(std::string_view json) {
    separate();
    json_ += json;
}

void JsonWriter::key(std::string_view name) {
    separate();
    json_ += json_quoted(name);
    json_ += ':';
    is_first_ = true;
}

void JsonWriter::text(std::string_view text) { value(json_quoted(text)); }

void JsonWriter::number(double number) { value(std::isfinite(number) ? number_text(number) : "null"); }

void JsonWriter::number(double number, int digits) {
    if (!std::isfinite(number)) return null();
    separate();
    fmt::format_to(std::back_inserter(json_), "{:.{}f}", number, digits);
}

void JsonWriter::raw_members(std::string_view object) {
    check(object.size() >= 2 && object.front() == '{' && object.back() == '}', "members of a JSON object");
    if (object.size() > 2) value(object.substr(1, object.size() - 2));
}

}  // namespace caribou
