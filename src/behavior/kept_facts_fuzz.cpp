#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.hpp"
#include "behavior/kept_facts.hpp"

/// Arbitrary bytes as stored facts. They must be refused with a reason, or be read the same way after they
/// were written again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::behavior;
    const auto kept = kept_facts_from({reinterpret_cast<const char*>(data), size});
    if (!kept) {
        check(!kept.error().message.empty(), "a refusal has a reason");
        return 0;
    }
    const auto again = kept_facts_from(file_text_of(*kept));
    check(again && *again == *kept, "facts are read as they were written");
    return 0;
}
