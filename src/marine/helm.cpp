#include "marine/helm.hpp"

#include <array>
#include <cctype>

#include <fmt/format.h>

#include "behavior/engine_classes.hpp"
#include "behavior/expression_classes.hpp"
#include "behavior/tree_loader.hpp"
#include "marine/fields.hpp"

namespace caribou::marine {
namespace {

constexpr std::array<std::string_view, 4> needed_nav{"NAV_X", "NAV_Y", "NAV_SPEED", "NAV_HEADING"};
constexpr std::array<std::string_view, 4> nav_facts{"x", "y", "speed", "heading"};
constexpr std::string_view fact_prefix = "bus:";
constexpr double least_pause_between_views = 2;

bool is_override(std::string_view variable) {
    return variable == "MOOS_MANUAL_OVERRIDE" || variable == "MOOS_MANUAL_OVERIDE";
}

/// Returns the names that follow `bus:` in a tree.
std::vector<std::string> bus_variables_in(std::string_view tree) {
    std::vector<std::string> names;
    for (std::size_t at = tree.find(fact_prefix); at != std::string_view::npos;
         at = tree.find(fact_prefix, at + 1)) {
        const std::string_view rest = tree.substr(at + fact_prefix.size());
        std::size_t end = 0;
        while (end < rest.size() && (std::isalnum(static_cast<unsigned char>(rest[end])) || rest[end] == '_'))
            ++end;
        names.emplace_back(rest.substr(0, end));
    }
    return names;
}

constexpr std::string_view allstop_texts[] = {"clear", "ManualOverride", "NothingToDo", "BehaviorError"};

}  // namespace

Helm::Helm(HelmSettings settings) : settings_(std::move(settings)), drives_(settings_.start_in_drive) {
    behavior::register_engine_classes(classes_);
    behavior::register_fact_actions(classes_, changes_);
    behavior::register_expressions(classes_, facts_, changes_);
    register_helm_classes(classes_, context_);
}

Helm::~Helm() = default;

Result<std::unique_ptr<Helm>> Helm::make(HelmSettings settings, const std::string& path,
                                         std::string_view tree) {
    std::unique_ptr<Helm> helm(new Helm(std::move(settings)));
    const behavior::TreeText text{path, std::string(tree)};
    auto loaded = behavior::load_tree(std::span(&text, 1), helm->classes_);
    if (!loaded) {
        std::string faults;
        for (const auto& fault : loaded.error()) faults += (faults.empty() ? "" : "\n") + to_string(fault);
        return fail(Code::malformed, faults);
    }
    helm->runner_ = std::make_unique<behavior::BehaviorRunner>(std::move(loaded->tree), helm->facts_);
    if (auto base = helm->runner_->set_base(loaded->base); !base) return fail(std::move(base.error()));
    helm->base_ = loaded->base;
    helm->declared_ = std::move(loaded->plan.facts);
    for (const auto& [name, fact] : helm->declared_)
        if (fact.fallback) helm->facts_.set(name, *fact.fallback);
    helm->variables_ = bus_variables_in(tree);
    for (const std::string_view name : needed_nav) helm->variables_.emplace_back(name);
    for (const char* const name : {"MOOS_MANUAL_OVERRIDE", "MOOS_MANUAL_OVERIDE", "HELM_MAP_CLEAR"})
        helm->variables_.emplace_back(name);
    return helm;
}

void Helm::on_value(std::string_view variable, double value, double time) {
    for (std::size_t i = 0; i < needed_nav.size(); ++i)
        if (variable == needed_nav[i]) {
            nav_[std::string(variable)] = {value, time};
            facts_.set(nav_facts[i], value);
        }
    if (variable == "HELM_MAP_CLEAR") must_show_again_ = true;
    facts_.set(std::string(fact_prefix) + std::string(variable), value);
}

void Helm::on_value(std::string_view variable, std::string_view value, double) {
    const auto truth = truth_in(value);
    if (is_override(variable) && truth) drives_ = !*truth;
    const std::string fact = std::string(fact_prefix) + std::string(variable);
    if (truth)
        facts_.set(fact, *truth);
    else
        facts_.set(fact, std::string(value));
}

std::string Helm::active_behavior() const {
    const auto stack = runner_->stack();
    if (!drives_ || stack.size() < 2) return {};
    const std::string& id = stack.back()->id();
    return id.substr(0, id.find('/'));
}

std::string Helm::allstop() const {
    const auto found = last_.find("IVPHELM_ALLSTOP");
    return found == last_.end() ? "" : found->second;
}

bool Helm::nav_is_fresh(double stamp) const {
    for (const std::string_view name : needed_nav) {
        const auto found = nav_.find(name);
        if (found == nav_.end() || stamp - *found->second.time > settings_.nav_limit) return false;
    }
    return true;
}

Helm::AllStop Helm::decide(Instant now, double stamp) {
    context_.order.reset();
    context_.posts.clear();
    if (!drives_) return AllStop::manual_override;
    if (!nav_is_fresh(stamp)) return AllStop::behavior_error;
    context_.position = {nav_["NAV_X"].value, nav_["NAV_Y"].value};
    context_.speed = nav_["NAV_SPEED"].value;
    context_.course.reset();
    changes_.apply_to(facts_, declared_);
    runner_->tick(now);
    return context_.order ? AllStop::clear : AllStop::nothing_to_do;
}

std::vector<HelmPost> Helm::step(Instant now, double stamp) {
    posts_.clear();
    ++iteration_;
    const AllStop stop = decide(now, stamp);
    post("IVPHELM_STATE", drives_ ? "DRIVE" : "PARK");
    post_changed("IVPHELM_ALLSTOP", std::string(allstop_texts[std::size_t(stop)]));
    post_orders(stop);
    for (auto& [variable, value] : context_.posts) post(variable, value);
    const bool again = must_show_again_ && stamp - last_shown_again_ >= least_pause_between_views;
    if (again) {
        must_show_again_ = false;
        last_shown_again_ = stamp;
    }
    post_view(again);
    post_reports(stop, stamp);
    return std::move(posts_);
}

void Helm::post(std::string variable, double value) { posts_.push_back({std::move(variable), value}); }

void Helm::post(std::string variable, std::string value) {
    posts_.push_back({std::move(variable), std::move(value)});
}

void Helm::post_changed(const std::string& variable, std::string value) {
    const auto [at, is_new] = last_.try_emplace(variable, value);
    if (!is_new && at->second == value) return;
    at->second = value;
    post(variable, std::move(value));
}

void Helm::post_orders(AllStop stop) {
    if (stop == AllStop::clear) {
        post("DESIRED_HEADING", context_.order->heading);
        post("DESIRED_SPEED", context_.order->speed);
        if (context_.order->depth) post("DESIRED_DEPTH", *context_.order->depth);
    } else if (!stopped_) {
        post("DESIRED_HEADING", 0.0);
        post("DESIRED_SPEED", 0.0);
    }
    stopped_ = stop != AllStop::clear;
}

void Helm::post_reports(AllStop stop, double stamp) {
    const std::string active = active_behavior();
    std::string idle;
    const auto& tree = runner_->tree();
    for (std::size_t i = 0; i < tree.size(); ++i)
        if (const std::string& id = tree[i].id(); id != active && id != base_ && !id.contains('/'))
            idle += (idle.empty() ? "" : ",") + id;
    const auto known = last_.find("IVPHELM_BHV_ACTIVE");
    const bool changed = iteration_ == 1 || known == last_.end() || known->second != active;
    post_changed("IVPHELM_BHV_ACTIVE", active);
    post_changed("IVPHELM_BHV_IDLE", idle);
    post_changed("IVPHELM_DOMAIN", "speed,0,5,51:course,0,359,360");
    if (changed) {
        std::string idle_list;
        for (const std::string_view name : split_outside(idle, ','))
            idle_list += fmt::format("{}{}${:.2f}$n/a", idle_list.empty() ? "" : ":", name, stamp);
        post("IVPHELM_SUMMARY",
             fmt::format("iter={},utc_time={:.2f},ofnum={},warnings=0,halted={},active_goal={},modes=none,"
                         "active_bhvs={},idle_bhvs={},completed_bhvs=none,"
                         "ivpdomain=\"speed,0,5,51:course,0,359,360\",halt_msg=none",
                         iteration_, stamp, active.empty() ? 0 : 1, stop != AllStop::clear, !active.empty(),
                         active.empty() ? "none"
                                        : fmt::format("{}${:.2f}$100.00000$1$0.00000$0/0$1$$", active, stamp),
                         idle_list.empty() ? "none" : idle_list));
    } else {
        post("IVPHELM_SUMMARY", fmt::format("iter={},utc_time={:.2f}", iteration_, stamp));
    }
    if (shown_) post_course();
}

}  // namespace caribou::marine
