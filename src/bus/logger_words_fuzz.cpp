// Lines of the block of pLogger and values of PLOGGER_CMD: what is read is within its limits.

#include <cstdint>
#include <span>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "bus/logger_words.hpp"

using namespace caribou;
using namespace caribou::bus;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = text_of(std::as_bytes(std::span(data, size)));
    if (const auto variable = parse_logged_variable(text))
        check(!variable->name.empty() && variable->interval >= Duration::zero(), "a variable has a name");
    if (const auto interval = parse_sync_log(text))
        check(*interval == Duration::zero() || *interval >= std::chrono::milliseconds(100),
              "ticks are bounded");
    if (const auto request = parse_logger_request(text))
        check(request->file.empty() != request->variable.name.empty(), "a request is for one thing");
    return 0;
}
