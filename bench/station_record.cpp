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

#include "base/limits.hpp"
#include "folder.hpp"
#include "give_up.hpp"
#include "platform/event_loop.hpp"
#include "platform/recording_thread.hpp"
#include "robot_jitter.hpp"
#include "station/recording_player.hpp"
#include "station_figures.hpp"
#include "wire/mcap.hpp"

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

struct Channels {
    Channels(wire::McapWriter& writer, std::size_t robots) {
        for (std::size_t i = 0; i < robots; ++i)
            for (const char* kind : {"motion", "scan"})
                ids.push_back(writer.add_channel(fmt::format("/robot_{}/{}", i, kind), "json", 0));
    }
    std::vector<std::uint16_t> ids;
};

/// Records messages of this many robots at 10 Hz; one chunk per half second.
template <class Take>
std::uint64_t record(std::size_t robots, std::size_t rounds, Take take) {
    wire::McapWriter writer({});
    const Channels channels(writer, robots);
    const std::string scanned = scan();
    for (std::size_t round = 0; round < rounds; ++round) {
        const std::uint64_t time = 1'767'225'600'000'000'000 + round * 100'000'000;
        const std::string moved = motion(round, round);
        for (std::size_t i = 0; i < robots; ++i) {
            writer.add(channels.ids[2 * i], time, time, bytes_of(moved));
            writer.add(channels.ids[2 * i + 1], time, time, bytes_of(scanned));
        }
        if (round % 5 == 4) take(writer.take());
    }
    take(writer.finish());
    return writer.messages();
}

}  // namespace

void record_ratio(const Report& report, const Effort&) {
    constexpr std::size_t robots = 1000;
    constexpr std::size_t rounds = 100;  // about 140 MB
    const Folder folder;
    NullLog log;
    std::vector<Pair> pairs;
    std::uint64_t lost = 0;
    for (int trial = 0; trial < 5; ++trial) {
        Bytes all;
        record(robots, rounds, [&](const Bytes& bytes) { append(all, bytes); });
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
        const SteadyTime began = now();
        auto thread = RecordingThread::open(records, 4096_MiB, log).value();
        std::uint64_t at = 0;
        record(robots, rounds, [&](Bytes bytes) {
            // A station would drop parts while the disk is slow; here the benchmark waits.
            while (thread->waiting() + bytes.size() > RecordingThread::max_waiting) pause(1ms);
            const std::size_t size = bytes.size();
            thread->write({"all.mcap", at, std::move(bytes)});
            at += size;
        });
        lost += thread->lost();
        thread.reset();
        make_durable(records + "/all.mcap");
        const double value = megabytes / Seconds(now() - began).count();
        if (std::filesystem::file_size(records + "/all.mcap") != all.size())
            give_up("a recording is not whole");
        std::filesystem::remove_all(records);
        pairs.push_back({floor, value});
    }
    std::ranges::sort(pairs, {}, &Pair::ratio);
    const Pair middle = pairs[pairs.size() / 2];
    report.add({"record_rate", middle.value, "MB/s", middle.floor});
    report.add({"record_ratio", middle.ratio(), "of a plain write"});
    report.add({"record_lost", static_cast<double>(lost), "parts"});
}

void replay_speed(const Report& report, const Effort&) {
    constexpr std::size_t robots = 100;
    constexpr std::size_t rounds = 1200;  // 2 minutes
    const auto file = std::make_shared<Bytes>();
    const std::uint64_t messages = record(robots, rounds, [&](const Bytes& bytes) { append(*file, bytes); });
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
