// Arbitrary requests to a broker with a few variables: each must be answered, and only a poke may write its
// variable.

#include <cstdint>
#include <span>
#include <string>

#include "base/check.hpp"
#include "base/log.hpp"
#include "base/web_form.hpp"
#include "bus/web.hpp"

namespace {

using namespace caribou;
using namespace caribou::bus;

/// Removes and returns the next line of the input.
std::string take_line(std::string_view& input) {
    const std::string_view line = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(input.size(), line.size() + 1));
    return std::string(line);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view input = text_of(std::as_bytes(std::span(data, size)));
    check(percent_decoded(percent_encoded(input)) == input, "what is encoded decodes to itself");

    NullLog log;
    const Moment at{Instant(std::chrono::hours(1)), Instant(std::chrono::hours(1)), 1000};
    Broker broker({.community = "f<>"}, log, at);
    check(broker.poke("p", {.key = "A", .value = 1}, at).has_value(), "a number is written");
    check(
        broker.poke("p", {.data_type = wire::DataType::string, .key = "B&", .payload = "<"}, at).has_value(),
        "a string is written");
    WebRequest request;
    request.method = take_line(input);
    request.target = take_line(input);
    request.host = take_line(input);
    request.origin = take_line(input);
    request.fetch_site = take_line(input);
    request.user_agent = take_line(input);
    request.body = input;
    int pokes = 0;
    const WebAnswer given = answer(request, {broker, nullptr, 1001, [&](const wire::MessageView& value) {
                                                 pokes += 1;
                                                 return broker.poke("p", value, at);
                                             }});
    check(given.status >= 200 && given.status < 500, "every request is answered");
    check((given.status == 303) == !given.location.empty(), "who is sent elsewhere is told where");
    check(!given.location.contains('\n') && !given.location.contains('\r'), "a header field is one line");
    check(pokes == 0 || given.status == 303 || given.status == 400, "a poke is told");
    const std::string host = "http://" + request.host;
    check(pokes == 0 || request.origin.empty() || request.origin == host, "no other site pokes");
    return 0;
}
