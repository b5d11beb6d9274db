#include "caribou/response_pauses.hpp"

#include <charconv>

#include <fmt/format.h>

namespace caribou::app {

Result<std::vector<bus::ResponsePause>> parse_response_pauses(std::string_view text) {
    std::vector<bus::ResponsePause> pauses;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find(',', from), text.size());
        const std::string_view item = text.substr(from, end - from);
        from = end + 1;
        const std::size_t colon = item.rfind(':');
        const std::string_view pattern = colon == std::string_view::npos ? "*" : item.substr(0, colon);
        const std::string_view number = colon == std::string_view::npos ? item : item.substr(colon + 1);
        double milliseconds = 0;
        const auto [stop, error] =
            std::from_chars(number.data(), number.data() + number.size(), milliseconds);
        if (error != std::errc{} || stop != number.data() + number.size() || !(milliseconds >= 0) ||
            milliseconds > 10'000)
            return fail(Code::invalid_argument,
                        fmt::format("`{}`: `{}` is not a number of milliseconds from 0 to 10000; write "
                                    "[PATTERN:]MS, e.g. p*:20,5",
                                    item, number));
        pauses.push_back({std::string(pattern), from_seconds(milliseconds / 1000)});
    }
    return pauses;
}

}  // namespace caribou::app
