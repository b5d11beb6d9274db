#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.hpp"
#include "map/stored_map.hpp"

/// Arbitrary bytes as a stored map. They must be refused with a reason, or be the same map after they were
/// written again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::map;
    const auto stored = stored_map_from({reinterpret_cast<const char*>(data), size});
    if (!stored) {
        check(!stored.error().message.empty(), "a refusal has a reason");
        return 0;
    }
    const auto text = file_text_of(*stored);
    if (!text) {
        check(text.error().code == Code::limit_exceeded, "only a limit keeps a map from being written");
        return 0;
    }
    const auto again = stored_map_from(*text);
    check(again && file_text_of(*again) == text, "a map is read as it was written");
    return 0;
}
