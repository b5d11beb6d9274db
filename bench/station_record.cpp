// Cost of recordings, and speed of their replay.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "adapters/recording/recording_thread.hpp"
#include "archive/mcap.hpp"
#include "base/limits.hpp"
#include "folder.hpp"
#include "give_up.hpp"
#include "platform/event_loop.hpp"
#include "robot_jitter.hpp"
#include "station/recording_player.hpp"
#include "station/recording_version.hpp"
#include "station_figures.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

void make_durable(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    need(file >= 0 && ::fdatasync(file) == 0, "make durable " + path);
    ::close(file);
}

/// Returns the motion of a robot as a station publishes it.
std::string motion(std::size_t robot, std::size_t round) {
    return fmt::format(
        R"({{"at":1767225600.{:03},"number":{},"pose":{{"x":{}.25,"y":-1.5,"heading":0.785}},"state":1,"movement":"forward","class":2,"right":{{"level":2,"speed":0.3}},"left":{{"level":2,"speed":0.3}},"winner":"operator","reason":"","offset":0.001}})",
        round % 1000, round, robot % 10);
}
/// Returns its scan.
std::string scan() {
    std::string ranges;
    for (int i = 0; i < 36; ++i)
        ranges += fmt::format("{}[{:.3f},{:.3f}]", i ? "," : "", i * 0.1745, 1 + i * 0.01);
    return fmt::format(R"({{"at":1767225600.500,"ranges":[{}],"ages":{{"lidar":0.1}}}})", ranges);
}

/// Adds the messages of one round of this many robots, and before the first round their channels.
void add_round(wire::McapBatch& batch, std::size_t robots, std::size_t round, const std::string& scanned) {
    if (round == 0)
        for (std::size_t i = 0; i < robots; ++i)
            for (const char* kind : {"motion", "scan"})
                batch.channels.push_back({fmt::format("/robot_{}/{}", i, kind), "json", 0});
    const std::uint64_t time = 1'767'225'600'000'000'000 + round * 100'000'000;
    const std::string moved = motion(round, round);
    for (std::size_t i = 0; i < robots; ++i) {
        batch.add(static_cast<std::uint16_t>(2 * i), time, bytes_of(moved));
        batch.add(static_cast<std::uint16_t>(2 * i + 1), time, bytes_of(scanned));
    }
}

/// Records messages of this many robots at 10 Hz; one batch per half second. Returns the number of messages.
template <class Take>
std::uint64_t record(std::size_t robots, std::size_t rounds, Take take) {
    const std::string scanned = scan();
    station::RecordingBatch batch{.name = "all"};
    std::uint64_t messages = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
        add_round(batch.messages, robots, round, scanned);
        batch.last = round + 1 == rounds;
        if (round % 5 != 4 && !batch.last) continue;
        messages += batch.messages.messages.size();
        station::RecordingBatch next{.name = "all", .number = batch.number + 1};
        take(std::exchange(batch, std::move(next)));
    }
    return messages;
}

/// Returns the same as a file without compression.
Bytes plain_file(std::size_t robots, std::size_t rounds) {
    wire::McapWriter writer({.profile = station::recording_profile()});
    record(robots, rounds, [&](const station::RecordingBatch& batch) { writer.add(batch.messages); });
    return writer.finish();
}

/// Records through the thread. Returns seconds until all is durable.
double record_by_thread(const std::string& folder, std::size_t robots, std::size_t rounds, bool compress,
                        std::uint64_t& lost) {
    NullLog log;
    const SteadyTime began = now();
    auto thread = RecordingThread::open(folder, {.limit = 4096_MiB, .compress = compress}, log).value();
    record(robots, rounds, [&](station::RecordingBatch batch) {
        // A station would drop batches while the disk is slow; here the benchmark waits.
        while (thread->waiting() + batch.size() > RecordingThread::max_waiting) pause(1ms);
        thread->write(std::move(batch));
    });
    lost += thread->lost();
    thread.reset();
    make_durable(folder + "/all.mcap");
    return Seconds(now() - began).count();
}

}  // namespace

void record_ratio(const Report& report, const Effort&) {
    constexpr std::size_t robots = 1000;
    constexpr std::size_t rounds = 100;  // about 140 MB
    const Folder folder;
    std::vector<Pair> pairs;
    std::vector<double> compressed;
    std::uint64_t lost = 0;
    for (int trial = 0; trial < 5; ++trial) {
        const Bytes all = plain_file(robots, rounds);
        const double megabytes = static_cast<double>(all.size()) / 1e6;

        const std::string plain = folder / "plain";
        const SteadyTime start = now();
        const int file = ::open(plain.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        constexpr std::size_t piece = 256_KiB;
        for (std::size_t at = 0; at < all.size(); at += piece) {
            const std::size_t size = std::min(piece, all.size() - at);
            need(::write(file, all.data() + at, size) == static_cast<ssize_t>(size), "write");
        }
        need(::fdatasync(file) == 0, "make durable what was written");
        ::close(file);
        const double floor = megabytes / Seconds(now() - start).count();
        std::filesystem::remove(plain);

        const std::string records = folder / fmt::format("records_{}", trial);
        const double value = megabytes / record_by_thread(records, robots, rounds, false, lost);
        const auto size = std::filesystem::file_size(records + "/all.mcap");
        if (size < all.size() || size > all.size() + all.size() / 20) give_up("a recording is not whole");
        std::filesystem::remove_all(records);
        pairs.push_back({floor, value});
        compressed.push_back(megabytes / record_by_thread(records, robots, rounds, true, lost));
        std::filesystem::remove_all(records);
    }
    std::ranges::sort(compressed);
    std::ranges::sort(pairs, {}, &Pair::ratio);
    const Pair middle = pairs[pairs.size() / 2];
    report.add({"record_rate", middle.value, "MB/s", middle.floor});
    report.add({"record_ratio", middle.ratio(), "of a plain write"});
    report.add({"record_compressed_rate", compressed[compressed.size() / 2], "MB/s"});
    report.add({"record_lost", static_cast<double>(lost), "parts"});
}

void replay_speed(const Report& report, const Effort&) {
    constexpr std::size_t robots = 100;
    constexpr std::size_t rounds = 1200;  // 2 minutes
    const auto file = std::make_shared<Bytes>(plain_file(robots, rounds));
    constexpr std::uint64_t messages = 2 * robots * rounds;
    EventLoop loop;
    const auto player = station::RecordingPlayer::open(loop, "bench", FileImage(*file, file)).value();
    station::FleetFeed::Cursor cursor;
    bool ended = false;
    player->on_end([&] { ended = true; });
    player->set_speed(station::RecordingPlayer::highest_speed);
    const SteadyTime began = now();
    player->play();
    while (!ended) {
        loop.run_until([&] { return ended; }, 200ms);
        static_cast<void>(player->feed().next(cursor, player->now()));
    }
    const double taken = Seconds(now() - began).count();
    if (player->messages() != messages) give_up("a replay is not whole");
    report.add({"replay_speed", (player->end() - player->start()) / taken, "x"});
}

}  // namespace caribou::bench
