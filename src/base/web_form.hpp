#pragma once

#include <map>
#include <string>
#include <string_view>

namespace caribou {

/// The fields of a form, from a query or a body: `a=1&b=two+words%21`. Of a name that comes twice
/// the first counts.
using WebForm = std::map<std::string, std::string, std::less<>>;

/// `%41` and, in forms, `+` for a blank. What is no such code stands for itself.
std::string percent_decoded(std::string_view text);
std::string percent_encoded(std::string_view text);
WebForm parse_form(std::string_view text);

/// The first line of a request without its method: `/path?query#never sent`.
struct WebTarget {
    std::string path;  ///< decoded, and without the slash that it begins with
    WebForm query;
};
WebTarget parse_target(std::string_view text);

}  // namespace caribou
