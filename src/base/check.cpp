#include "base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace caribou {

void broken(std::string_view promise, std::source_location where) {
    std::fprintf(stderr, "%s:%u: %s: broken promise: %.*s\n", where.file_name(), where.line(),
                 where.function_name(), static_cast<int>(promise.size()), promise.data());
    std::abort();
}

}  // namespace caribou
