#include "platform/descriptor_limit.hpp"

#include <sys/resource.h>

#include <cerrno>

#include "platform/system_error.hpp"

namespace caribou {

Result<std::size_t> raise_descriptor_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return fail(system_error("cannot read the descriptor limit", errno));
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
        return fail(system_error("cannot raise the descriptor limit", errno));
    return static_cast<std::size_t>(limit.rlim_cur);
}

}  // namespace caribou
