// Arbitrary values of APPCAST, APPCAST_REQ and LOADCAST_REQ: a report that can be read is written in a form
// that is read again as the same, and is shown without control characters; a request is never longer than 30
// s.

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "bus/appcast_board.hpp"
#include "bus/load_report.hpp"

using namespace caribou;
using namespace caribou::bus;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input = text_of(std::as_bytes(std::span(data, size)));
    if (const auto request = parse_appcast_request(input)) {
        check(request->duration >= 0 && request->duration <= 30, "the duration is limited");
        check(!request->key.empty(), "there is a key");
    }
    LoadReport load;
    load.begin(Instant());
    load.on_request(input, "pA", Instant());
    load.begin(Instant());
    check(!load.end(Instant(std::chrono::seconds(30)), 4), "the load is published for 30 s at most");
    AppCastBoard board;
    if (!board.take(input)) return 0;
    const AppCast& cast = *board.matching("*", "*").at(0);
    const auto again = parse_appcast(to_string(cast));
    check(again.has_value(), "what is written can be read");
    const auto third = parse_appcast(to_string(*again));
    check(third == again, "and is the same");
    for (const std::string& shown : {appcast_page(cast), appcast_table({&cast})})
        check(std::ranges::none_of(shown, [](unsigned char c) { return c < ' ' && c != '\n'; }),
              "no control character is shown");
    check(!appcast_json({&cast}).empty(), "it has a JSON form");
    return 0;
}
