// Round trips over DDS between two processes, compared with those of ddsperf, CycloneDDS's own tool, in the
// same run.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "adapters/dds/cyclone_config.hpp"
#include "adapters/dds/dds_participant.hpp"
#include "adapters/dds/dds_transport.hpp"
#include "child.hpp"
#include "give_up.hpp"
#include "negotiation_figures.hpp"

namespace caribou::bench {
namespace {

using negotiation::Peer;
using negotiation::Sample;
using negotiation::Topic;

const Topic ping{"/bench/ping", "std_msgs/msg/UInt8MultiArray"};
const Topic pong{"/bench/pong", ping.type};
constexpr int our_domain = 77;
constexpr int floor_domain = 78;

/// One of the two processes: writes one topic and reads another.
class End final : public negotiation::ReaderEvents, public negotiation::WriterEvents {
public:
    End(const Topic& says, const Topic& hears)
        : participant_(need(DdsParticipant::open({.domain = our_domain, .name = "bench"}))),
          transport_(*participant_, loop),
          writer_(need(transport_.advertise(says, {}, *this))),
          reader_(need(transport_.subscribe(hears, {}, *this))) {}

    void say(const Sample& sample) {
        if (!writer_->write(sample)) give_up("cannot write over DDS");
    }

    EventLoop loop;
    bool met(int peers = 1) const { return writers_ >= peers && readers_ >= peers; }
    std::function<void(const Sample&)> on_heard;

private:
    template <class T>
    static T need(Result<T> made) {
        if (!made) give_up(made.error().message);
        return std::move(*made);
    }
    void on_writer_joined(const Peer&) override { ++writers_; }
    void on_reader_joined(const Peer&) override { ++readers_; }
    void on_sample(const Peer&, const Sample& sample) override { on_heard(sample); }

    std::unique_ptr<DdsParticipant> participant_;
    DdsTransport transport_;
    std::unique_ptr<negotiation::Writer> writer_;
    std::unique_ptr<negotiation::Reader> reader_;
    int writers_ = 0;
    int readers_ = 0;
};

void echo_for_ever() {
    End end(pong, ping);
    end.on_heard = [&end](const Sample& sample) { end.say(sample); };
    end.loop.run();
}

/// Returns the median round trip; each starts when the previous one has ended.
double our_round_trip_us(std::size_t size, const Effort& effort) {
    Bytes payload(size + 4);
    payload[1] = std::byte{1};  // CDR, little-endian
    const Sample sample(std::make_shared<const Bytes>(std::move(payload)), {});
    End end(ping, pong);
    std::vector<double> times;
    SteadyTime sent{};
    end.on_heard = [&](const Sample&) {
        times.push_back(microseconds(now() - sent));
        sent = now();
        end.say(sample);
    };
    const Duration limit = std::chrono::seconds(30);
    if (!end.loop.run_until([&] { return end.met(); }, limit)) give_up("two DDS processes do not meet");
    sent = now();
    end.say(sample);
    const SteadyTime until = now() + std::chrono::duration_cast<SteadyTime::duration>(effort.per_side);
    end.loop.run_until([&] { return now() >= until; }, limit);
    if (times.empty()) give_up("nothing came back over DDS");
    return median(times);
}

/// Returns the median from ddsperf's last line, which is half a round trip, doubled.
double ddsperf_round_trip_us(std::size_t size, const Effort& effort) {
    ::setenv("CYCLONEDDS_URI", cyclone_config({.domain = floor_domain}).c_str(), 1);
    const Child answers([] {
        // Standard output must contain only figures.
        if (std::freopen("/dev/null", "w", stdout) == nullptr) give_up("cannot open /dev/null");
        ::execlp("ddsperf", "ddsperf", "-i", std::to_string(floor_domain).c_str(), "pong", nullptr);
        give_up("ddsperf is missing: Debian has it in cyclonedds-tools");
    });
    const std::string command = fmt::format("ddsperf -i {} -X -D {:.0f} ping size {} 2>&1", floor_domain,
                                            effort.per_side.count() + 2, size);
    std::FILE* const output = ::popen(command.c_str(), "r");
    if (output == nullptr) give_up("ddsperf cannot be started");
    double last = 0;
    for (std::array<char, 512> line{}; std::fgets(line.data(), line.size(), output) != nullptr;)
        if (const std::string text(line.data()); text.find("size") != std::string::npos)
            if (const auto at = text.find(" 50% "); at != std::string::npos)
                last = 2 * std::strtod(text.c_str() + at + 5, nullptr);
    ::pclose(output);
    if (last == 0) give_up("ddsperf reports no round trips");
    return last;
}

void report_ratio(const Report& report, const Effort& effort, std::string_view metric, std::size_t size) {
    report.progress(fmt::format("{} bytes over DDS", size));
    const double floor = ddsperf_round_trip_us(size, effort);
    const Child answers(echo_for_ever);
    const double ours = our_round_trip_us(size, effort);
    report.add({metric, ours / floor, "", 1.0});
}

}  // namespace

void slow_reader_gap_ms(const Report& report, const Effort&) {
    constexpr auto period = std::chrono::milliseconds(20);
    constexpr auto length = std::chrono::seconds(6);
    const Child healthy(echo_for_ever);
    const Child stopped(echo_for_ever);
    End end(ping, pong);
    std::vector<SteadyTime> arrivals;
    end.on_heard = [&](const Sample&) { arrivals.push_back(now()); };
    if (!end.loop.run_until([&] { return end.met(2); }, std::chrono::seconds(30)))
        give_up("three DDS processes do not meet");
    ::kill(stopped.pid(), SIGSTOP);
    Bytes payload(100'000);
    payload[1] = std::byte{1};  // CDR, little-endian
    const Sample sample(std::make_shared<const Bytes>(std::move(payload)), {});
    Instant next = end.loop.clock().now();
    Timer* timer = nullptr;
    const auto ticker = end.loop.make_timer([&] {
        end.say(sample);
        timer->arm(next += period);
    });
    timer = ticker.get();
    timer->arm(next);
    end.loop.run_until([] { return false; }, length);
    timer->cancel();
    if (arrivals.size() < 2) give_up("nothing came back over DDS");
    double longest = 0;
    for (std::size_t i = 1; i < arrivals.size(); ++i)
        longest = std::max(longest, microseconds(arrivals[i] - arrivals[i - 1]) / 1e3);
    const double since = microseconds(now() - arrivals.back()) / 1e3;
    const double gap = std::max(longest, since) - std::chrono::duration<double, std::milli>(period).count();
    report.add({.metric = "slow_reader_gap_ms", .value = std::max(0.0, gap), .unit = "ms"});
}

void dds_ratio_64(const Report& report, const Effort& effort) {
    report_ratio(report, effort, "dds_ratio_64", 64);
}
void dds_ratio_64k(const Report& report, const Effort& effort) {
    report_ratio(report, effort, "dds_ratio_64k", 64 * 1024);
}

}  // namespace caribou::bench
