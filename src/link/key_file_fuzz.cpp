#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.hpp"
#include "link/key_words.hpp"
#include "link/paired_key.hpp"

/// Arbitrary text as a key file and as words. It must be refused with a message, or parse to a value that is
/// written and parsed to itself.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::link;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto file = paired_key_from(text))
        check(paired_key_from(file_text_of(*file)) == *file, "what was written is read");
    else
        check(!file.error().message.empty(), "what is refused has a reason");
    if (const auto key = key_from_words(text))
        check(key_from_words(words_of(*key)) == *key, "words mean a key");
    return 0;
}
