// The cost of storing values and of restoring them.

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "apps_figures.hpp"
#include "base/limits.hpp"
#include "base/log.hpp"
#include "bus/exchange.hpp"
#include "bus/journal_files.hpp"
#include "bus_rate.hpp"
#include "give_up.hpp"
#include "platform/file_disk.hpp"
#include "wire/codec.hpp"
#include "wire/journal_frame.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

/// A directory on a real disk, because the temporary one is often in memory.
class Scratch {
public:
    Scratch() {
        path_ = (std::filesystem::current_path() / "bench-journal-XXXXXX").string();
        if (!::mkdtemp(path_.data())) give_up("cannot make a directory here");
    }
    ~Scratch() { std::filesystem::remove_all(path_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

/// The size at which a file of such values is rewritten.
constexpr std::uint32_t variables = 50'000;
constexpr std::size_t value_size = 1'000;
constexpr std::uint64_t times_over = 4;

void write_journal(Disk& disk) {
    NullLog log;
    bus::JournalFiles files(disk);
    if (!files.open(log)) give_up("cannot open the journal");
    const std::string payload(value_size, 'x');
    for (std::uint64_t batch = 0; batch < times_over; ++batch) {
        wire::JournalBatch values(batch, batch == 0 ? wire::JournalSeal::sealed : wire::JournalSeal::open);
        for (std::uint32_t number = 0; number < variables; ++number) {
            Bytes message;
            const std::string key = fmt::format("VARIABLE_{}", number);
            wire::append_message(message, {.type = wire::MessageType::notify,
                                           .data_type = wire::DataType::string,
                                           .source = "writer",
                                           .community = "#1",
                                           .key = key,
                                           .payload = payload});
            values.add({number, 1, batch + 1, message});
        }
        const bool first = batch == 0;
        bus::JournalStep step{.begins_next = first, .finishes_next = first};
        (first ? step.chunk : step.batch) = values.finish();
        if (!files.perform(step)) give_up("cannot write the journal");
    }
}

double milliseconds_since(SteadyTime begin) { return Seconds(now() - begin).count() * 1e3; }

double read_and_checksum(const std::string& path) {
    const SteadyTime begin = now();
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    Bytes room(1_MiB);
    std::uint64_t sum = 0;
    for (;;) {
        const ssize_t size = ::read(file, room.data(), room.size());
        if (size <= 0) break;
        sum += wire::journal_checksum(ByteView(room).first(static_cast<std::size_t>(size)));
    }
    ::close(file);
    if (sum == 0) give_up("cannot read the journal");
    return milliseconds_since(begin);
}

double recover(Disk& disk) {
    NullLog log;
    const bus::BrokerLimits limits;
    const SteadyTime begin = now();
    bus::JournalFiles files(disk);
    const auto kept = files.open(log);
    if (!kept || kept->contents.values.size() != variables) give_up("the journal is not what it was");
    bus::Exchange exchange("#1", limits);
    for (const wire::JournalValue& value : kept->contents.values)
        if (!exchange.restore(value.message, value.written, value.writes)) give_up("a value is refused");
    return milliseconds_since(begin);
}

}  // namespace

void journal_cost(const Report& report, const Effort& effort) {
    const Scratch scratch;
    const BrokerProcess without;
    const BrokerProcess with({"--data", scratch.path()});
    Lane plain(without.target());
    Lane kept(with.target());
    const Pair pair = interleave(
        effort, 200ms, [&](Seconds round) { return rate(plain, 100, round); },
        [&](Seconds round) { return rate(kept, 100, round); });
    report.add({"journal_cost", (1 - pair.ratio()) * 100, "%"});
}

void recover_ratio(const Report& report, const Effort& effort) {
    const Scratch scratch;
    auto disk = FileDisk::open(scratch.path());
    if (!disk) give_up(disk.error().message);
    write_journal(**disk);
    const Pair pair = interleave(
        effort, 500ms, [&](Seconds) { return read_and_checksum(scratch.path() + "/values-1.journal"); },
        [&](Seconds) { return recover(**disk); });
    report.add({"recover_ratio", pair.value, "ms", pair.floor});
}

}  // namespace caribou::bench
