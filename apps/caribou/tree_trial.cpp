#include "caribou/tree_trial.hpp"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "behavior/stand_ins.hpp"
#include "kit/program/number_from.hpp"
#include "kit/robot/tree_files.hpp"
#include "loop/duration_text.hpp"
#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

using namespace std::chrono_literals;

std::unexpected<Error> wrong_option(std::string_view option, std::string_view why) {
    return fail(Code::invalid_argument, fmt::format("{}: {}", option, why));
}

}  // namespace

void add_trial_options(CLI::App& parser, TrialOptions& options) {
    parser.add_option("-n,--ticks", options.ticks, "How many ticks to run")
        ->capture_default_str()
        ->check(whole_number_from(1, 1'000'000'000));
    parser.add_option("--tick", options.tick, "How long a tick is, such as 60ms")->capture_default_str();
    parser.add_option("--seed", options.seed, "Seed of everything random")->capture_default_str();
    parser.add_option("--set", options.set, "Set a fact at the beginning, NAME=VALUE; may be repeated");
    parser.add_option(
        "--at", options.at,
        "Set a fact before a tick, TICK:NAME=VALUE; may be repeated. Without a value it becomes unknown");
    parser.add_option(
        "--stand-in", options.stand_ins,
        "A class that only your robot has, NAME or NAME=SCRIPT such as `hum=succeed 2s,fail`; may be "
        "repeated");
    parser.add_option("--reload", options.reload,
                      "Hand in a new version of the first file before a tick, TICK:FILE; may be repeated");
}

Result<std::unique_ptr<Trial>> Trial::make(const TrialOptions& options) {
    for (const std::string& text : options.stand_ins)
        if (const auto parsed = behavior::parse_stand_in(text); !parsed)
            return wrong_option("--stand-in", parsed.error().message);
    std::unique_ptr<Trial> trial(new Trial(options.stand_ins));
    if (auto parsed = trial->parse(options); !parsed) return fail(std::move(parsed.error()));
    if (auto loaded = trial->load(options); !loaded) return fail(std::move(loaded.error()));
    return trial;
}

Result<void> Trial::parse(const TrialOptions& options) {
    ticks_ = options.ticks;
    const auto tick = duration_from(options.tick);
    if (!tick || *tick == 0s)
        return wrong_option("--tick", fmt::format("`{}` is not a duration such as 60ms", options.tick));
    tick_ = *tick;
    for (const std::string& text : options.set) {
        auto setting = parse_setting(text);
        if (!setting) return wrong_option("--set", setting.error().message);
        first_settings_.push_back(std::move(*setting));
    }
    for (const std::string& text : options.at) {
        auto setting = parse_timed_setting(text);
        if (!setting) return wrong_option("--at", setting.error().message);
        settings_.push_back(std::move(*setting));
    }
    for (const std::string& text : options.reload) {
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        const std::string_view rest(end, text.data() + text.size());
        if (error != std::errc{} || rest.size() < 2 || !rest.starts_with(':'))
            return wrong_option("--reload", fmt::format("`{}` is not of the form TICK:FILE", text));
        reloads_.push_back({number, std::string(rest.substr(1))});
    }
    return {};
}

Result<void> Trial::load(const TrialOptions& options) {
    auto files = read_tree_files(options.files);
    if (!files) return fail(std::move(files.error()));
    auto loaded = behavior::load_tree(*files, world_.classes());
    if (!loaded) return fail(Code::malformed, to_string(loaded.error()));
    graph_ = behavior::graph_of(*loaded->tree, loaded->plan.base);
    world_.declare(loaded->plan.facts);
    if (auto set = set_facts(*files); !set) return set;
    runner_ = std::make_unique<behavior::BehaviorRunner>(std::move(loaded->tree), world_.facts(),
                                                         behavior::RunnerOptions{.seed = options.seed});
    world_.join(*runner_);
    if (auto set = runner_->set_base(loaded->base); !set) return set;
    recorder_ = std::make_unique<behavior::Recorder>(*runner_);
    runner_->add_observer(*recorder_);
    reload_ = std::make_unique<behavior::TreeReload>(*runner_, world_.classes(), std::move(*files));
    return {};
}

Result<void> Trial::set_facts(const std::vector<behavior::TreeText>& files) {
    for (const Reload& reload : reloads_) {
        auto text = read_text_file(reload.path);
        if (!text) continue;  // reported at its tick, as is a tree that is refused
        std::vector<behavior::TreeText> later = files;
        later.front().text = std::move(*text);
        if (const auto loaded = behavior::load_tree(later, world_.classes())) world_.know(loaded->plan.facts);
    }
    for (const FactSetting& setting : first_settings_) {
        if (const auto value = world_.value_of(setting); !value)
            return wrong_option("--set", value.error().message);
        world_.apply(setting);
    }
    for (const TimedSetting& timed : settings_)
        if (const auto value = world_.value_of(timed.setting); !value)
            return wrong_option("--at", value.error().message);
    return {};
}

std::string Trial::take_file(const std::string& path) {
    auto text = read_text_file(path);
    if (!text) return text.error().message;
    const auto changed = reload_->change({reload_->files().front().name, std::move(*text)});
    if (!changed) return fmt::format("{} was refused:\n{}", path, to_string(changed.error()));
    world_.declare(reload_->plan().facts);
    return fmt::format("{} {}", path,
                       *changed == behavior::TreeReload::Change::none ? "is the same" : "was taken");
}

void Trial::run(const Seen& seen) {
    for (std::uint64_t tick = 1; tick <= ticks_; ++tick) {
        world_.apply_changes();
        for (const TimedSetting& setting : settings_)
            if (setting.tick == tick) world_.apply(setting.setting);
        std::vector<std::string> notes;
        for (const Reload& reload : reloads_)
            if (reload.tick == tick) notes.push_back(take_file(reload.path));
        const auto difference = runner_->tick(world_.now());
        world_.advance(tick_);
        for (const std::string& said : world_.take_said()) notes.push_back("says " + said);
        if (std::string ended = behavior::end_of_base(difference); !ended.empty())
            notes.push_back(std::move(ended));
        seen(difference, notes);
    }
}

}  // namespace caribou::app
