#include "give_up.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

namespace caribou::bench {

void give_up(std::string_view why) {
    fmt::print(stderr, "bench: {}\n", why);
    std::_Exit(1);
}

void need(bool done, std::string_view what) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): the program ends here.
    if (!done) give_up(fmt::format("cannot {}: {}", what, std::strerror(errno)));
}

}  // namespace caribou::bench
