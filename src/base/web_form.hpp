#pragma once

#include <map>
#include <string>
#include <string_view>

namespace caribou {

/// The fields of a form, from a query or a body: `a=1&b=two+words%21`. If a name occurs more than once, the
/// first value is kept.
using WebForm = std::map<std::string, std::string, std::less<>>;

/// Returns the text with percent-escapes such as `%41` decoded; invalid escapes are kept as they are.
/// parse_form() also decodes `+` as a space.
std::string percent_decoded(std::string_view text);
/// Returns the text with all characters escaped except letters, digits and `-_.~`.
std::string percent_encoded(std::string_view text);
WebForm parse_form(std::string_view text);

/// The target of a request line: `/path?query`, and a fragment, which is ignored.
struct WebTarget {
    std::string path;  ///< decoded, without the leading slash
    WebForm query;
};
/// Splits a request target into path and query.
WebTarget parse_target(std::string_view text);

}  // namespace caribou
