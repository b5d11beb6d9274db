#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.hpp"
#include "robot/self_check_record.hpp"

/// Arbitrary bytes as the stored result of a self-check. They must be refused with a reason, or be read the
/// same way after they were written again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::robot;
    const auto record = self_check_record_from({reinterpret_cast<const char*>(data), size});
    if (!record) {
        check(!record.error().message.empty(), "a refusal has a reason");
        return 0;
    }
    const auto again = self_check_record_from(file_text_of(*record));
    check(again && *again == *record, "a record is read as it was written");
    return 0;
}
