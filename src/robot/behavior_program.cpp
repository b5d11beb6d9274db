#include "robot/behavior_program.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/number_text.hpp"

namespace caribou::robot {
namespace {

constexpr Duration program_look_period = std::chrono::milliseconds(50);
/// A process that has worked for so long does not delay its restart.
constexpr Duration long_life = std::chrono::minutes(1);
/// A line contains at most so many of each, so that the socket takes it as a whole.
constexpr std::size_t most_created = 32;
constexpr std::size_t most_facts = 64;
constexpr std::size_t most_calls = 128;
constexpr std::size_t most_gone = 512;
constexpr std::size_t max_requests = 1024;
constexpr std::size_t log_lines_per_second = 20;

template <class T>
Result<T> read_line(std::string_view line, std::string_view type) {
    const auto node = read_json(line, {.bytes = BehaviorProgram::max_line, .depth = 16, .values = 100'000});
    if (!node) return fail(Code::malformed, node.error().message);
    const JsonNode* const found = node->find("type");
    if (!found || found->text != type)
        return fail(Code::malformed,
                    fmt::format("expected the type `{}`, found `{}`", type, found ? found->text : ""));
    return data::from_json<T>(*node, type);
}

}  // namespace

Result<data::ProgramHello> read_program_hello(std::string_view line) {
    auto hello = read_line<data::ProgramHello>(line, "hello");
    if (hello && hello->version != behavior_program_version)
        return fail(Code::refused,
                    fmt::format("expected version {} of the protocol, found {}; use the caribou package of "
                                "this robot",
                                behavior_program_version, hello->version));
    return hello;
}

Result<data::ProgramReport> read_program_report(std::string_view line) {
    return read_line<data::ProgramReport>(line, "report");
}

data::ProgramValue to_program_value(const behavior::Value& value) {
    data::ProgramValue to;
    if (const auto* flag = std::get_if<bool>(&value)) to.flag = *flag;
    if (const auto* number = std::get_if<double>(&value)) to.number = *number;
    if (const auto* text = std::get_if<std::string>(&value)) to.text = *text;
    return to;
}

std::optional<behavior::Value> from_program_value(const data::ProgramValue& value) {
    if (value.flag) return behavior::Value(*value.flag);
    if (value.number) return behavior::Value(*value.number);
    if (value.text) return behavior::Value(*value.text);
    return std::nullopt;
}

BehaviorProgram::BehaviorProgram(Loop& loop, Processes& processes, std::vector<std::string> words,
                                 std::string name, Log& log)
    : loop_(loop),
      processes_(processes),
      words_(std::move(words)),
      name_(std::move(name)),
      log_(log),
      its_log_(log, loop.clock(), name_, log_lines_per_second),
      ended_(name_ + " was not started yet"),
      is_starting_(name_ + " starts"),
      is_silent_(name_ + " has not answered for 100 ms"),
      has_stopped_(name_ + " does not answer"),
      timer_(loop.make_timer([this] { look(); })) {}

BehaviorProgram::~BehaviorProgram() = default;

void BehaviorProgram::start() {
    begin();
    timer_->arm(loop_.clock().now() + program_look_period);
}

void BehaviorProgram::begin() {
    start_again_.reset();
    buffer_.clear();
    has_greeted_ = false;
    unread_since_.reset();
    started_ = heard_ = loop_.clock().now();
    ++process_number_;
    for (auto& [number, object] : objects_) {
        object.is_sent = false;
        object.answer.reset();
        object.requests.clear();
    }
    calls_.clear();
    gone_.clear();
    for (KnownFact& fact : facts_) fact.sent.reset();
    auto process = processes_.start(words_, *this);
    if (!process) return restart_later(process.error().message);
    process_ = std::move(*process);
}

void BehaviorProgram::restart_later(std::string why) {
    const Instant now = loop_.clock().now();
    process_.reset();
    has_greeted_ = false;
    if (now - started_ > long_life) pause_ = shortest_pause;
    start_again_ = now + pause_;
    log_.error(fmt::format("{}: {}; it is started again in {} s", name_, why, to_seconds(pause_)));
    ended_ = fmt::format("{}: {}", name_, why);
    pause_ = std::min(pause_ * 2, longest_pause);
}

void BehaviorProgram::kill(const std::string& why) {
    if (!killed_.empty()) return;
    killed_ = fmt::format("{}: {}", name_, why);
    has_greeted_ = false;
    process_->kill();  // on_end() follows
}

void BehaviorProgram::on_end(const ProcessEnd& end) {
    if (!killed_.empty()) return restart_later(std::exchange(killed_, {}).substr(name_.size() + 2));
    restart_later(end.signal != 0 ? fmt::format("has ended by signal {}", end.signal)
                                  : fmt::format("has ended with {}", end.code));
}

void BehaviorProgram::on_line(std::string_view line) { its_log_.info(fmt::format("{}: {}", name_, line)); }

void BehaviorProgram::look() {
    const Instant now = loop_.clock().now();
    its_log_.tick();
    timer_->arm(now + program_look_period);
    if (start_again_ && now >= *start_again_) return begin();
    if (!process_ || !killed_.empty()) return;
    if (!has_greeted_ && now - started_ > start_limit) return kill("has not started within 30 s");
    if (has_greeted_ && now - heard_ <= hang_limit && now - idle_since() > hang_limit)
        return kill("has not read its input for 5 s, and was killed");
    if (has_greeted_ && now - heard_ > hang_limit) return kill("has not answered for 5 s, and was killed");
    // Between ticks, and while there are none.
    if (has_greeted_ && !calls_.empty()) flush(tick_);
}

void BehaviorProgram::on_bytes(ByteView bytes) {
    if (!killed_.empty()) return;
    buffer_ += text_of(bytes);
    std::size_t begin = 0;
    for (std::size_t end = buffer_.find('\n'); end != std::string::npos; end = buffer_.find('\n', begin)) {
        const std::string line = buffer_.substr(begin, end - begin);
        begin = end + 1;
        take(line);
        if (!killed_.empty()) return;
    }
    buffer_.erase(0, begin);
    if (buffer_.size() > max_line) kill("has sent a line of more than 1 MiB");
}

void BehaviorProgram::take(std::string_view line) {
    heard_ = loop_.clock().now();
    if (!has_greeted_) {
        const auto hello = read_program_hello(line);
        if (!hello) return kill("its first line is malformed: " + hello.error().message);
        return take_hello(*hello);
    }
    auto report = read_program_report(line);
    if (!report) return kill("has sent a malformed line: " + report.error().message);
    take_report(std::move(*report));
}

void BehaviorProgram::take_hello(const data::ProgramHello& hello) {
    has_greeted_ = true;
    log_.info(fmt::format("{}: works, with {} classes", name_, hello.classes.size()));
    for (const auto& [number, object] : objects_)
        if (object.is_in_scope) calls_.push_back({.object = number, .kind = data::ProgramCallKind::entered});
    flush(tick_);
}

void BehaviorProgram::take_report(data::ProgramReport report) {
    for (data::ProgramAnswer& answer : report.answers) {
        const auto found = objects_.find(answer.object);
        // The text of an answer that is still valid must stay where it is.
        if (found == objects_.end() || found->second.answer == answer) continue;
        found->second.answer = std::move(answer);
    }
    for (data::ProgramRequest& request : report.requests) execute(request);
}

void BehaviorProgram::execute(data::ProgramRequest& request) {
    using Kind = data::ProgramRequestKind;
    if (request.kind == Kind::log) return its_log_.info(fmt::format("{}: {}", name_, request.text));
    if (request.kind == Kind::set || request.kind == Kind::publish) {
        const auto value = from_program_value(request.value);
        if (!value || !means_) return;
        if (request.kind == Kind::publish) return means_->publish(request.name, *value);
        if (const auto set = means_->set_fact(request.name, *value); !set)
            its_log_.warning(fmt::format("{}: {}", name_, set.error().message));
        return;
    }
    const auto found = objects_.find(request.object);
    if (found == objects_.end()) return;
    if (found->second.requests.size() >= max_requests) return kill("has sent too many requests");
    found->second.requests.push_back(std::move(request));
}

std::uint32_t BehaviorProgram::enlist(data::ProgramObject object) {
    object.number = ++last_object_;
    objects_.emplace(last_object_, Object{std::move(object)});
    return last_object_;
}

void BehaviorProgram::delist(std::uint32_t number) {
    const auto found = objects_.find(number);
    if (found == objects_.end()) return;
    if (found->second.is_sent && gone_.size() < max_calls) gone_.push_back(number);
    std::erase_if(calls_, [number](const data::ProgramCall& call) { return call.object == number; });
    objects_.erase(found);
}

void BehaviorProgram::set_in_scope(std::uint32_t number, bool is) {
    Object& object = objects_.at(number);
    if (std::exchange(object.is_in_scope, is) == is) return;
    if (!is) object.answer.reset();
    call({.object = number, .kind = is ? data::ProgramCallKind::entered : data::ProgramCallKind::left});
}

void BehaviorProgram::call(data::ProgramCall call) {
    if (!has_greeted_) return;
    if (calls_.size() >= max_calls) return kill("does not read what happens");
    calls_.push_back(std::move(call));
}

const std::string& BehaviorProgram::trouble() const {
    const std::string& lasting = lasting_trouble();
    if (!lasting.empty()) return lasting;
    return loop_.clock().now() - heard_ > answer_limit ? is_silent_ : none_;
}

const std::string& BehaviorProgram::lasting_trouble() const {
    if (!killed_.empty()) return killed_;
    if (!process_) return ended_;
    if (!has_greeted_) return is_starting_;
    return loop_.clock().now() - idle_since() > silence_limit ? has_stopped_ : none_;
}

Instant BehaviorProgram::idle_since() const {
    // Without ticks nothing is written, and an earlier line that was not taken means nothing.
    const bool is_unread = unread_since_ && loop_.clock().now() - unread_at_ < silence_limit;
    return is_unread ? std::min(*unread_since_, heard_) : heard_;
}

const data::ProgramAnswer* BehaviorProgram::answer(std::uint32_t number) const {
    const auto found = objects_.find(number);
    return found == objects_.end() || !found->second.answer ? nullptr : &*found->second.answer;
}

std::vector<data::ProgramRequest> BehaviorProgram::take_requests(std::uint32_t number, std::uint32_t run) {
    const auto found = objects_.find(number);
    if (found == objects_.end() || found->second.requests.empty()) return {};
    std::vector<data::ProgramRequest> requests = std::exchange(found->second.requests, {});
    std::erase_if(requests, [run](const data::ProgramRequest& request) { return request.run != run; });
    return requests;
}

void BehaviorProgram::flush(std::uint64_t tick) {
    tick_ = tick;
    if (!process_ || !has_greeted_) return;
    for (;;) {
        const data::ProgramTick next = next_tick(tick);
        if (!process_->write(data::to_json(next))) {
            ++skipped_;
            unread_at_ = loop_.clock().now();
            if (!unread_since_) unread_since_ = unread_at_;
            return;
        }
        unread_since_.reset();
        mark_sent(next);
        const bool is_all = calls_.empty() && std::ranges::all_of(objects_, [](const auto& each) {
                                return each.second.is_sent;
                            });
        if (is_all) return;
    }
}

data::ProgramTick BehaviorProgram::next_tick(std::uint64_t tick) {
    data::ProgramTick next{.tick = tick, .time = loop_.clock().boot_seconds(), .skipped = skipped_};
    for (const auto& [number, object] : objects_)
        if (!object.is_sent && next.created.size() < most_created) next.created.push_back(object.plan);
    add_facts(next);
    // Calls of objects that it does not know yet wait, and those that come before the facts of this tick.
    const bool knows_all =
        next.facts.size() < most_facts &&
        std::ranges::all_of(
            objects_,
            [&](const auto& each) {
                return each.second.is_sent ||
                       std::ranges::find(next.created, each.first, &data::ProgramObject::number) !=
                           next.created.end();
            });
    if (knows_all)
        next.calls.assign(calls_.begin(),
                          calls_.begin() + static_cast<std::ptrdiff_t>(std::min(calls_.size(), most_calls)));
    next.gone.assign(gone_.begin(),
                     gone_.begin() + static_cast<std::ptrdiff_t>(std::min(gone_.size(), most_gone)));
    return next;
}

void BehaviorProgram::add_facts(data::ProgramTick& to) {
    if (!means_) return;
    const behavior::Facts& facts = means_->facts;
    if (std::exchange(facts_version_, facts.names_version()) != facts.names_version()) {
        for (std::string& name : facts.names())
            if (std::ranges::find(facts_, name, &KnownFact::name) == facts_.end())
                facts_.push_back({.name = name, .number = facts.number_of(name)});
    }
    for (const KnownFact& fact : facts_) {
        const behavior::Value* const value = facts.find(fact.number);
        const bool is_same = value ? fact.sent && *value == *fact.sent : !fact.sent;
        if (is_same || to.facts.size() >= most_facts) continue;
        to.facts.push_back({fact.name, value ? to_program_value(*value) : data::ProgramValue{}});
    }
}

void BehaviorProgram::mark_sent(const data::ProgramTick& sent) {
    for (const data::ProgramObject& object : sent.created) objects_.at(object.number).is_sent = true;
    for (const data::ProgramFactValue& fact : sent.facts) {
        const auto known = std::ranges::find(facts_, fact.name, &KnownFact::name);
        if (known != facts_.end()) known->sent = from_program_value(fact.value);
    }
    calls_.erase(calls_.begin(), calls_.begin() + static_cast<std::ptrdiff_t>(sent.calls.size()));
    gone_.erase(gone_.begin(), gone_.begin() + static_cast<std::ptrdiff_t>(sent.gone.size()));
}

}  // namespace caribou::robot
