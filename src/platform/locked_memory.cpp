#include "platform/locked_memory.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

#include <cerrno>

#include "platform/system_error.hpp"

namespace caribou {

Result<void> lock_memory() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return fail(system_error("RLIMIT_MEMLOCK", errno));
    if (limit.rlim_cur != RLIM_INFINITY) {
        const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
        if (::setrlimit(RLIMIT_MEMLOCK, &none) != 0)
            return fail(Code::unavailable,
                        "locked memory is limited; set LimitMEMLOCK=infinity in the unit, or grant "
                        "CAP_SYS_RESOURCE");
    }
    if (::mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) != 0) return fail(system_error("mlockall", errno));
    return {};
}

}  // namespace caribou
