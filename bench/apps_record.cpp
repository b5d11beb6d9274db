#include <csignal>
#include <filesystem>

#include <unistd.h>

#include <fmt/format.h>

#include "apps_figures.hpp"
#include "apps_load.hpp"
#include "bus_servers.hpp"
#include "child.hpp"
#include "cpu_time.hpp"
#include "give_up.hpp"
#include "platform/mapped_file.hpp"
#include "wire/alog.hpp"

namespace caribou::bench {
namespace {

/// A folder that is removed on destruction.
struct Scratch {
    Scratch() {
        std::string pattern = std::filesystem::temp_directory_path() / "caribou_bench_XXXXXX";
        need(::mkdtemp(pattern.data()) != nullptr, "make a folder");
        path = pattern;
    }
    ~Scratch() {
        std::error_code failed;
        std::filesystem::remove_all(path, failed);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    std::filesystem::path path;
};

std::uint64_t values_in(const std::string& path) {
    const auto log = MappedFile::open(path);
    need(log.has_value(), "open the log");
    wire::AlogReader reader(log->text());
    std::uint64_t count = 0;
    while (reader.next()) ++count;
    return count;
}

}  // namespace

void record_100k(const Report& report, const Effort& effort) {
    const Scratch scratch;
    const BrokerProcess db;
    const std::string name = scratch.path / "load";
    Load load(db.target().port, 100, 100'000);
    Program record(beside_this_program("caribou"),
                   {"record", "V*", "-o", name, "--port", fmt::format("{}", db.target().port)});
    if (!record.first_line().starts_with("recording")) give_up("the recorder did not begin");
    const Seconds before = cpu_time(record.pid());
    const std::uint64_t sent = load.run(effort.per_side);
    const Seconds used = cpu_time(record.pid()) - before;
    ::kill(record.pid(), SIGINT);
    record.join();
    report.add(
        {.metric = "record_100k_core", .value = 100 * used.count() / effort.per_side.count(), .unit = "%"});
    const std::uint64_t found = values_in(name + ".alog");
    report.add({.metric = "record_lost",
                .value = static_cast<double>(sent) - static_cast<double>(found),
                .unit = "messages"});
}

}  // namespace caribou::bench
