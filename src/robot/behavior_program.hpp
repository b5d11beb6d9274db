#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "behavior/facts.hpp"
#include "data/program_hello.hpp"
#include "data/program_report.hpp"
#include "data/program_tick.hpp"
#include "loop/limited_log.hpp"
#include "loop/loop.hpp"
#include "loop/process.hpp"
#include "robot/own_classes.hpp"

namespace caribou::robot {

/// Version of the protocol, docs/formats/behavior-program.md.
inline constexpr std::uint32_t behavior_program_version = 1;

/// Parse one line of a program. Fail with malformed.
Result<data::ProgramHello> read_program_hello(std::string_view line);
Result<data::ProgramReport> read_program_report(std::string_view line);

data::ProgramValue to_program_value(const behavior::Value& value);
/// Returns nullopt if it is unknown.
std::optional<behavior::Value> from_program_value(const data::ProgramValue& value);

/// A process with classes for trees, as written in Python (docs/formats/behavior-program.md). Starts it,
/// passes on what happens to the objects of its classes, and receives their answers and requests. A process
/// that ends, or is silent for hang_limit, is started again. Nothing waits for it. Must be used on the strand
/// of the behaviors.
class BehaviorProgram final : public ProcessEvents {
public:
    /// Age from which an answer does not count any more.
    static constexpr Duration answer_limit = std::chrono::milliseconds(100);
    /// Silence after which active behaviors fail, and after which the process is killed.
    static constexpr Duration silence_limit = std::chrono::seconds(1);
    static constexpr Duration hang_limit = std::chrono::seconds(5);
    /// Time in which a process must send its first line.
    static constexpr Duration start_limit = std::chrono::seconds(30);
    /// Pause before a restart, which doubles with each restart up to the longest.
    static constexpr Duration shortest_pause = std::chrono::seconds(1);
    static constexpr Duration longest_pause = std::chrono::seconds(30);
    static constexpr std::size_t max_line = 1_MiB;  ///< bytes that it sends in one line
    static constexpr std::size_t max_calls = 4096;  ///< that wait for it

    /// `words` is its command line, `name` is for messages. Loop, processes and log must outlive it.
    BehaviorProgram(Loop& loop, Processes& processes, std::vector<std::string> words, std::string name,
                    Log& log);
    ~BehaviorProgram() override;
    /// Sets what its requests act on, which must outlive it. Must be called before start().
    void use(const RobotMeans& means) { means_.emplace(means); }
    void start();
    /// Sends what has happened. Must be called at the end of each tick.
    void flush(std::uint64_t tick);

    /// The object is of a class of the program. Returns its number.
    std::uint32_t enlist(data::ProgramObject object);
    void delist(std::uint32_t number);
    /// A behavior is in scope, or a condition is evaluated.
    void set_in_scope(std::uint32_t number, bool is);
    void call(data::ProgramCall call);

    /// Returns the number of the present process, which changes with each start. Requests and outcomes of
    /// another process do not arrive any more.
    std::uint64_t process_number() const { return process_number_; }
    /// Returns why nothing can be expected of it now; empty if it works. Answers are fresh then.
    const std::string& trouble() const;
    /// Returns whether its first process runs and has not greeted yet, which lasts for start_limit at most.
    bool is_starting() const { return process_ && process_number_ == 1 && killed_.empty() && !has_greeted_; }
    /// Same as trouble(), for what is active: it may be silent for longer.
    const std::string& lasting_trouble() const;
    /// Returns the latest answer of the present process, or null if it has given none.
    const data::ProgramAnswer* answer(std::uint32_t number) const;
    /// Removes and returns the requests for this activation, and discards those for earlier ones.
    std::vector<data::ProgramRequest> take_requests(std::uint32_t number, std::uint32_t run);
    const RobotMeans& means() const { return *means_; }
    const std::string& name() const { return name_; }

private:
    struct Object {
        data::ProgramObject plan;
        bool is_sent = false;  ///< the process knows it
        bool is_in_scope = false;
        std::optional<data::ProgramAnswer> answer{};
        std::vector<data::ProgramRequest> requests{};
    };
    struct KnownFact {
        std::string name;
        behavior::Facts::Number number = 0;
        std::optional<behavior::Value> sent{};
    };

    // ProcessEvents.
    void on_line(std::string_view line) override;
    bool wants_bytes() const override { return true; }
    bool wants_input() const override { return true; }
    void on_bytes(ByteView bytes) override;
    void on_end(const ProcessEnd& end) override;

    void begin();
    void restart_later(std::string why);
    /// Its end follows, and then a restart.
    void kill(const std::string& why);
    void look();
    void take(std::string_view line);
    void take_hello(const data::ProgramHello& hello);
    void take_report(data::ProgramReport report);
    void execute(data::ProgramRequest& request);
    data::ProgramTick next_tick(std::uint64_t tick);
    void add_facts(data::ProgramTick& to);
    void mark_sent(const data::ProgramTick& sent);
    /// Returns since when it has been silent, or has not taken what is written to it.
    Instant idle_since() const;

    Loop& loop_;
    Processes& processes_;
    std::vector<std::string> words_;
    std::string name_;
    Log& log_;
    LimitedLog its_log_;  ///< what the process itself writes
    std::optional<RobotMeans> means_;
    std::unique_ptr<Process> process_;  ///< null: it is started again later
    std::uint64_t process_number_ = 0;
    bool has_greeted_ = false;
    Instant started_{};
    Instant heard_{};                        ///< its last line
    std::optional<Instant> unread_since_{};  ///< lines for it are not taken
    Instant unread_at_{};                    ///< the last such line
    std::optional<Instant> start_again_{};
    Duration pause_ = shortest_pause;
    std::string buffer_;
    std::map<std::uint32_t, Object> objects_;
    std::uint32_t last_object_ = 0;
    std::vector<data::ProgramCall> calls_;
    std::vector<std::uint32_t> gone_;
    std::vector<KnownFact> facts_;
    std::uint64_t facts_version_ = 0;  ///< Facts::names_version() of them
    std::uint64_t tick_ = 0;
    std::uint64_t skipped_ = 0;
    std::string killed_;       ///< why the process was killed, which has not ended yet
    std::string ended_;        ///< why there is no process
    std::string is_starting_;  ///< messages, which outlive behaviors' answers
    std::string is_silent_;
    std::string has_stopped_;
    std::string none_;
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou::robot
