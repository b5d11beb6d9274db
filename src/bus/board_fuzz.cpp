// Arbitrary messages as a broker's answers to ALL, ALL_SINCE, CLIENT_SUMMARY and PROC_SUMMARY: the tables
// that the tools make of them are safe to print.

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "base/json_node.hpp"
#include "bus/board.hpp"
#include "bus/client_table.hpp"
#include "bus/message_text.hpp"
#include "wire/packet_reader.hpp"

using namespace caribou;
using namespace caribou::bus;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ByteView rest = std::as_bytes(std::span(data, size));
    wire::PacketReader reader(64_KiB);
    std::vector<wire::Message> answer;
    for (auto step = reader.next(rest); step; step = reader.next(rest)) {
        using Kind = wire::PacketReader::Step::Kind;
        if (step->kind == Kind::need_more) break;
        if (step->kind == Kind::message) answer.push_back(wire::own(step->message));
        rest = rest.subspan(step->consumed);
    }
    const auto is_printable = [](std::string_view shown) {
        return std::ranges::none_of(shown, [](unsigned char c) { return c < ' ' && c != '\n'; });
    };
    Board board;
    Instant now{std::chrono::hours(1)};
    for (int i = 0; i < 2; ++i) {
        board.take(answer, now);
        check(board.rows().size() <= answer.size(), "each row was in the answer");
        for (const auto& [name, row] : board.rows()) {
            check(board.find(name) == &row, "a row is found by its name");
            check(is_printable(message_line(row.value())), "a row is safe to print");
            std::ignore = board.age(row, now);
            std::ignore = board.rate(row, now);
        }
        check(!board.request().empty(), "there is a next request");
        now += std::chrono::seconds(1);
    }
    const auto rows = client_rows(answer);
    check(rows.size() <= answer.size(), "each client was in the answer");
    check(is_printable(client_table(rows)), "the table is safe to print");
    check(read_json(client_json(rows)).has_value(), "the list is JSON");
    return 0;
}
