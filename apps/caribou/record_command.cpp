// `caribou record`: records messages of the bus in .alog files.

#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "adapters/bus_files/log_folder.hpp"
#include "bus/client_table.hpp"
#include "bus/recorder.hpp"
#include "caribou/bus_session.hpp"
#include "caribou/commands.hpp"
#include "caribou/patterns.hpp"
#include "caribou/quantity.hpp"
#include "platform/terminal.hpp"

namespace caribou::app {
namespace {

using namespace std::chrono_literals;

std::string default_name(double unix_seconds) {
    return fmt::format("{:%Y-%m-%d_%H-%M-%S}", fmt::gmtime(static_cast<std::time_t>(unix_seconds)));
}

/// One recording, from the first message to the end of the last file.
class BusRecording {
public:
    /// Variables that match `omitted` are not recorded.
    BusRecording(BusSession& session, bus::Recorder::Options options, std::vector<std::string> omitted)
        : session_(session),
          omitted_(std::move(omitted)),
          recorder_(folder_, std::move(options)),
          timer_(session.loop().make_timer([this] { every_second(); })),
          began_(now()) {
        session.client().on_other_mail([this](const wire::MessageView& message) { take(message); });
        session.client().on_disconnected([this](const Error& why) {
            if (shows_) fmt::print(stderr, "\n");
            fmt::print(stderr,
                       "caribou record: warning: lost the broker ({}); values written meanwhile are not "
                       "recorded\n",
                       why.message);
        });
        timer_->arm(began_ + 1s);
        check(recorder_.start(began_, session.client().stamp()));
    }
    bool failed() const { return failed_; }

    /// Prints a line when all further messages will be recorded. Scripts wait for this line.
    void announce() {
        std::ignore = session_.client().server_request("VAR_SUMMARY", [this](const auto&) {
            if (failed_) return;
            fmt::print("recording to {}.alog\n", recorder_.stats().log);
            std::fflush(stdout);
        });
    }

    /// Receives the messages in transit, and closes the files.
    Exit finish() {
        if (!failed_) check(recorder_.flush());
        // The answer follows all mail that was written before the request.
        request("VAR_SUMMARY", 2s, [](const auto&) {});
        over_ = true;
        timer_->cancel();
        if (!failed_) check(recorder_.finish());
        std::uint64_t dropped = 0;
        if (!failed_)
            request("CLIENT_SUMMARY", 1s, [&](const auto& answer) { dropped = dropped_for_us(answer); });
        if (shows_) fmt::print(stderr, "\n");
        if (failed_) return Exit::failed;
        const auto& stats = recorder_.stats();
        fmt::print("{} values, {} in {} log{}{}\n", count_text(stats.messages),
                   size_text(static_cast<double>(stats.bytes)), stats.logs,
                   stats.logs == 1 ? " " : "s, the last ", stats.log + ".alog");
        if (dropped > 0) {
            note("{} values are missing, because the broker had to drop them", dropped);
            return Exit::failed;
        }
        return Exit::ok;
    }

private:
    Instant now() const { return session_.loop().clock().now(); }

    /// Waits for the answer to a server request, and passes it to `use`. Some brokers do not answer.
    template <class Use>
    void request(std::string_view what, Duration limit, Use use) {
        bool answered = false;
        const auto asked = session_.client().server_request(
            what,
            [&](const Result<std::vector<wire::Message>>& answer) {
                answered = true;
                if (answer) use(*answer);
            },
            limit);
        if (asked) session_.event_loop().run_until([&] { return answered || failed_; }, limit + 1s);
    }

    void take(const wire::MessageView& message) {
        if (failed_ || over_ || matches_any(omitted_, message.key)) return;
        check(recorder_.add(message, now(), session_.client().stamp()));
    }

    /// The first failure ends the recording; the data already in the files is valid.
    void check(const Result<void>& done) {
        if (done || failed_) return;
        failed_ = true;
        note("{}{}", done.error().message,
             recorder_.stats().messages > 0 ? "; the values recorded before are intact" : "");
        session_.end(Exit::failed);
    }

    template <class... Args>
    void note(fmt::format_string<Args...> text, Args&&... args) {
        if (shows_) fmt::print(stderr, "\n");
        std::ignore = session_.complain(fmt::format(text, std::forward<Args>(args)...));
    }

    void every_second() {
        timer_->arm(now() + 1s);
        if (!failed_) check(recorder_.flush());
        const auto stats = recorder_.stats();
        if (shows_ && !failed_)
            fmt::print(stderr, "\r{}  {} values, {}/s  {}, {}/s  {}.alog\x1b[K",
                       clock_text(to_seconds(now() - began_)), count_text(stats.messages),
                       count_text(stats.messages - shown_.messages),
                       size_text(static_cast<double>(stats.bytes)),
                       size_text(static_cast<double>(stats.bytes - shown_.bytes)), stats.log);
        shown_ = stats;
    }

    /// Returns how many values the broker has dropped because this client was slow.
    std::uint64_t dropped_for_us(const std::vector<wire::Message>& answer) const {
        for (const auto& row : bus::client_rows(answer))
            if (row.name == session_.client().options().name) return row.dropped.value_or(0);
        return 0;
    }

    BusSession& session_;
    std::vector<std::string> omitted_;
    LogFolder folder_;
    bus::Recorder recorder_;
    std::unique_ptr<Timer> timer_;
    Instant began_;
    bus::Recorder::Stats shown_;
    bool shows_ = stderr_is_terminal();
    bool failed_ = false;
    bool over_ = false;  ///< recording has ended
};

class RecordCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser = program.add_subcommand("record", "Record the bus in .alog files");
        parser->add_option("PATTERN", patterns_, "Variables; * matches any text, ? any character")
            ->capture_default_str();
        parser->add_option("--omit", omitted_, "Do not record these variables; * and ? match");
        parser->add_option("-o,--out", out_, "Path of the log without .alog; by default the time (UTC)");
        parser->add_option("--rotate-size", rotate_size_, "Start a new log at this size, such as 64MiB");
        parser->add_option("--rotate-time", rotate_time_, "Start a new log after this time, such as 10min");
        parser->add_option("--seconds", seconds_, "Stop after this time, such as 30s; otherwise on Ctrl-C");
        add_bus_options(*parser, bus_);
        parser->footer(
            "The logs are read by `caribou replay` and `caribou alog`, and by the tools of MOOS. Exit\n"
            "status 1 if the disk is full, or if the broker had to drop a value.\n"
            "Examples:\n"
            "  caribou record                                   everything, until Ctrl-C\n"
            "  caribou record 'NAV_*' DESIRED_SPEED -o trial    to trial.alog\n"
            "  caribou record --omit 'DB_*' --omit '*_STATUS'   without these variables\n"
            "  caribou record --rotate-size 64MiB --rotate-time 10min");
        return parser;
    }

    Exit run() override {
        if (auto taken = take_mission_files(patterns_, bus_); !taken)
            return complain("record", taken.error().message, Exit::failed);
        if (patterns_.empty()) patterns_ = {"*"};
        BusSession session("record", bus_, {.max_message = 256_MiB});
        bus::Recorder::Options options{.name = out_};
        Duration limit{0};
        for (const auto& wrong : {set(options.rotate_bytes, "--rotate-size", rotate_size_, parse_size),
                                  set(options.rotate_after, "--rotate-time", rotate_time_, parse_time),
                                  set(limit, "--seconds", seconds_, parse_time)})
            if (!wrong) return session.complain(wrong.error().message, Exit::usage);
        if (out_.empty()) options.name = default_name(session.loop().clock().unix_seconds());
        if (auto connected = session.connect(); !connected)
            return session.complain(connected.error().message);

        BusRecording recording(session, std::move(options), omitted_);
        if (recording.failed()) return Exit::failed;
        if (auto asked = register_patterns(session.client(), patterns_); !asked)
            return session.complain(asked.error().message, Exit::usage);
        recording.announce();
        const auto end = session.loop().make_timer([&] { session.end(Exit::ok); });
        if (limit > Duration::zero()) end->arm(session.loop().clock().now() + limit);
        session.run();
        return recording.finish();
    }

private:
    /// Parses the value of an option if it was given.
    template <class Field, class Parse>
    static Result<void> set(Field& field, std::string_view option, const std::string& text, Parse parse) {
        if (text.empty()) return {};
        const auto value = parse(text);
        if (!value) return fail(Code::invalid_argument, fmt::format("{}: {}", option, value.error().message));
        field = *value;
        return {};
    }

    BusOptions bus_;
    std::vector<std::string> patterns_{"*"};
    std::vector<std::string> omitted_;
    std::string out_;
    std::string rotate_size_;
    std::string rotate_time_;
    std::string seconds_;
};

}  // namespace

std::unique_ptr<Command> make_record_command() { return std::make_unique<RecordCommand>(); }

}  // namespace caribou::app
