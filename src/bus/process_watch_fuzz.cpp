// Arbitrary values of DB_CLIENTS, one per line: the summaries always agree with the counts of the processes.

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "bus/process_watch.hpp"

using namespace caribou;
using namespace caribou::bus;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view input = text_of(std::as_bytes(std::span(data, size)));
    ProcessWatch watch({.own_name = "own", .launched = {"pA"}, .watch = {"pB:VAR", "u*"}, .nowatch = {"x*"}});
    while (!input.empty()) {
        const std::string_view line = input.substr(0, input.find('\n'));
        input.remove_prefix(std::min(input.size(), line.size() + 1));
        watch.on_clients(line);
        check(watch.all_present() == (watch.summary() == "All Present"), "the summary tells who is missing");
        for (const auto& process : watch.processes()) {
            check(process.name != "own" && !process.name.starts_with('x'),
                  "excluded programs are not watched");
            check(process.times_seen + process.times_lost > 0, "each is reported");
        }
    }
    return 0;
}
