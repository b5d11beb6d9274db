#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "behavior/random_script.hpp"

namespace caribou::behavior {

/// An independent implementation of the engine's rules, as simple as possible, for behaviors that follow a
/// RandomScript. It is slow and small and shares no code with the engine. The engine's behaviors must produce
/// the same `trace`.
class ReferenceModel {
public:
    explicit ReferenceModel(std::uint64_t seed)
        : script(seed),
          scope_(script.size()),
          linked_(script.size()),
          linking_(script.size()),
          yes_(script.size()),
          updated_(script.size()) {}

    void tick() {
        ++now_;
        trace.clear();
        open_ = true;
        if (reset_) {
            while (!stack.empty()) pop();
            if (base_ && scope_[0] > 0) leave(0);
            base_ = true;
            reset_ = false;
        }
        if (base_ && stack.empty()) {
            if (scope_[0] == 0) enter(0);
            if (ask(0)) push(0, false), unwind();
        }
        // From base to top, until all behaviors on the stack are updated.
        for (std::size_t i = 0; i < stack.size();) {
            if (updated_[stack[i].who] == now_) {
                ++i;
                continue;
            }
            update(stack[i].who);
            i = 0;
        }
        for (std::size_t who = 0; who < script.size(); ++who)
            if (scope_[who] > 0 && updated_[who] != now_) update(who);
        open_ = false;
    }
    /// Requests a reset; also sets the base.
    void ask_for_reset() { reset_ = true; }
    bool idle() const { return !base_ && !reset_; }
    std::vector<std::size_t> active() const {
        std::vector<std::size_t> all;
        for (const Layer& layer : stack) all.push_back(layer.who);
        return all;
    }
    bool in_scope(std::size_t who) const { return scope_[who] > 0; }

    RandomScript script;
    std::vector<std::string> trace;

private:
    struct Layer {
        std::size_t who;
        std::vector<std::size_t> delegates;
        int serial;
        bool callback = false;
        std::optional<std::string> returned{};
    };
    struct Thrown {};

    void note(std::string text) { trace.push_back(std::move(text)); }
    std::optional<std::size_t> place(std::size_t who) const {
        for (std::size_t i = 0; i < stack.size(); ++i)
            if (stack[i].who == who) return i;
        return std::nullopt;
    }

    /// Runs one hook of a behavior according to the script. Returns whether it threw.
    bool run(std::size_t who, Hook hook, const std::string& name, bool open, bool* answer = nullptr) {
        note(fmt::format("{} {}", name, who));
        const bool before = std::exchange(open_, open);
        const Doings doings = script.next(now_, who, hook);
        for (const Op& op : doings.ops) note(fmt::format("{} did {}", who, act(who, op)));
        open_ = before;
        if (answer) *answer = doings.willing && !doings.throws;
        return doings.throws;
    }

    bool act(std::size_t who, const Op& op) {
        switch (op.kind) {
            case Op::Kind::ask:
                return (open_ || may_ask_inside(who, op.target)) && scope_[op.target] > 0 &&
                       !place(op.target) && ask(op.target);
            case Op::Kind::delegate: return delegate(who, op.target, false);
            case Op::Kind::delegate_with_callback: return delegate(who, op.target, true);
            case Op::Kind::cancel_silently: return cancel_delegates(who, false);
            case Op::Kind::cancel_firing: return cancel_delegates(who, true);
            case Op::Kind::cancel_self:
                if (!open_ || !place(who)) return false;
                end(who, "cancelled", false);
                return true;
        }
        return false;
    }

    /// A behavior that asks its delegates may do so while it is asked, except for those that are being asked.
    bool may_ask_inside(std::size_t who, std::size_t target) const {
        return !asked_.empty() && asked_.back() == who && script.asks_delegates[who] &&
               std::ranges::find(asked_, target) == asked_.end();
    }
    void enter(std::size_t who) {
        if (++scope_[who] > 1) return;
        run(who, Hook::entered, "enter", false);
        if (!script.asks_delegates[who]) return;
        linking_[who] = true;
        linked_[who].clear();
        for (const std::size_t listed : script.delegates[who])
            if (!linking_[listed]) linked_[who].push_back(listed);
        for (const std::size_t one : linked_[who]) enter(one);
        linking_[who] = false;
    }
    void leave(std::size_t who) {
        if (scope_[who] == 1 && script.asks_delegates[who])
            for (std::size_t i = linked_[who].size(); i > 0; --i) leave(linked_[who][i - 1]);
        // The hook sees the scope as it was before.
        if (scope_[who] == 1) run(who, Hook::left, "leave", false);
        if (--scope_[who] == 0) yes_[who] = 0;
    }
    bool ask(std::size_t who) {
        bool answer = false;
        asked_.push_back(who);
        run(who, Hook::asked, "ask", false, &answer);
        asked_.pop_back();
        yes_[who] = answer ? now_ : 0;
        return answer;
    }

    bool delegate(std::size_t by, std::size_t target, bool callback) {
        if (!open_ || reset_ || stack.empty() || stack.back().who != by) return false;
        const auto& listed = stack.back().delegates;
        if (std::ranges::find(listed, target) == listed.end()) return false;
        if (scope_[target] == 0 || place(target) || yes_[target] != now_) return false;
        push(target, callback);
        return true;
    }
    void push(std::size_t who, bool callback) {
        if (!stack.empty()) {
            stack.back().callback = callback;
            stack.back().returned.reset();
        }
        std::vector<std::size_t> delegates;
        for (const std::size_t listed : script.delegates[who])
            if (listed != who) delegates.push_back(listed);
        yes_[who] = 0;  // an answer serves for one activation
        const int serial = ++serials_;
        stack.push_back({who, delegates, serial});
        for (const std::size_t one : delegates) enter(one);
        if (run(who, Hook::activated, "activate", true)) end_same(who, serial);
    }
    void pop() {
        const Layer top = stack.back();
        for (std::size_t i = top.delegates.size(); i > 0; --i) leave(top.delegates[i - 1]);
        run(top.who, Hook::deactivated, "deactivate", false);
        stack.pop_back();
    }
    void end(std::size_t who, const std::string& outcome, bool fires) {
        while (stack.back().who != who) pop();
        pop();
        if (stack.empty()) {
            leave(0);
            base_ = false;
            return;
        }
        stack.back().returned = outcome;
        if (!fires) stack.back().callback = false;
    }
    /// Ends a behavior that threw, unless that activation has ended already.
    void end_same(std::size_t who, int serial) {
        const auto at = place(who);
        if (at && stack[*at].serial == serial) end(who, "failed", true);
    }

    bool cancel_delegates(std::size_t by, bool fires) {
        const auto at = place(by);
        if (!open_ || !at) return false;
        if (stack.size() == *at + 1) return true;
        while (stack.back().who != by) pop();
        const bool callback = std::exchange(stack.back().callback, false);
        const int serial = stack.back().serial;
        if (fires && callback && run(by, Hook::called_back, "callback cancelled", true)) end_same(by, serial);
        return true;
    }

    void update(std::size_t who) {
        updated_[who] = now_;
        const auto at = place(who);
        const int serial = at ? stack[*at].serial : 0;
        if (run(who, Hook::updated, "update", true) && at) end_same(who, serial);
        unwind();
    }
    void unwind() {
        while (!stack.empty() && stack.back().returned) {
            const std::size_t who = stack.back().who;
            const int serial = stack.back().serial;
            const std::string outcome = *std::exchange(stack.back().returned, std::nullopt);
            if (std::exchange(stack.back().callback, false) &&
                run(who, Hook::called_back, "callback " + outcome, true)) {
                end_same(who, serial);
                continue;
            }
            const bool idle_still = !stack.empty() && stack.back().serial == serial && !stack.back().returned;
            if (idle_still && run(who, Hook::returned, "return " + outcome, true)) end_same(who, serial);
        }
    }

    std::vector<Layer> stack;
    std::vector<int> scope_;
    std::vector<std::vector<std::size_t>> linked_;  ///< entered scope together with it
    std::vector<bool> linking_;
    std::vector<std::size_t> asked_;  ///< those whose question is being answered, innermost last
    std::vector<std::uint64_t> yes_;
    std::vector<std::uint64_t> updated_;
    std::uint64_t now_ = 0;
    int serials_ = 0;
    bool open_ = false;
    bool reset_ = false;
    bool base_ = false;
};

}  // namespace caribou::behavior
