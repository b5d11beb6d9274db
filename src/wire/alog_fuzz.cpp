#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>

#include "base/check.hpp"
#include "wire/alog.hpp"

/// Reads arbitrary text as a log. Every line is returned once and refers to the text; a value that is read,
/// written and read again is unchanged.
namespace {

using namespace caribou;
using namespace caribou::wire;

void check_writing(const AlogEntry& entry) {
    AlogWriter writer("fuzz", 0);
    writer.add({.data_type = entry.type,
                .source = entry.source,
                .aux = entry.aux,
                .key = entry.variable,
                .time = 1,
                .value = entry.number,
                .payload = entry.type == DataType::number ? std::string_view{} : entry.text});
    AlogReader reader(writer.lines());
    const auto again = reader.next();
    check(again.has_value() && again->type == entry.type, "what was read can be written");
    if (entry.type == DataType::number)
        check(again->number == entry.number || std::isnan(entry.number), "a number survives");
    else if (again->reference)
        check(writer.side() == entry.text, "what stands aside survives");
    else
        check(again->text == entry.text, "a text survives");
    check(!reader.next(), "a value is one line");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    AlogReader reader(text);
    std::size_t before = 0;
    while (const auto line = reader.next_line()) {
        check(reader.offset() > before && reader.offset() <= size, "a reader moves on");
        before = reader.offset();
        check(line->raw.data() >= text.data() && line->raw.data() + line->raw.size() <= text.data() + size,
              "a line stands in the text");
        if (line->entry) check_writing(*line->entry);
    }
    std::ignore = alog_end(text);
    return 0;
}
