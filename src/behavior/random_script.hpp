#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "base/random.hpp"

namespace caribou::behavior {

/// The hooks in which a random behavior acts.
enum class Hook : std::uint8_t {
    entered,
    asked,
    activated,
    updated,
    called_back,
    returned,
    deactivated,
    left
};

/// One call that it makes there.
struct Op {
    enum class Kind : std::uint8_t {
        ask,
        delegate,
        delegate_with_callback,
        cancel_silently,
        cancel_firing,
        cancel_self
    };
    Kind kind;
    std::size_t target;  ///< for ask and delegate
};

/// Everything that happens in one call of one hook.
struct Doings {
    std::vector<Op> ops;
    bool throws;
    bool willing;  ///< the answer, when asked
};

/// A random tree and all actions of its behaviors, generated from one seed. Callers that make the same
/// requests in the same order, such as the engine's behaviors and the model, get the same results.
class RandomScript {
public:
    explicit RandomScript(std::uint64_t seed) : seed_(seed) {
        Random random(seed);
        delegates.resize(2 + random.below(7));
        for (std::size_t i = 0; i < delegates.size(); ++i) asks_delegates.push_back(random.chance(0.4));
        for (std::size_t i = 0; i < delegates.size(); ++i) {
            for (std::size_t other = 0; other < delegates.size(); ++other)
                if (random.chance(0.5)) delegates[i].push_back(other);
            for (std::size_t k = delegates[i].size(); k > 1; --k)
                std::swap(delegates[i][k - 1], delegates[i][random.below(k)]);
        }
    }

    std::size_t size() const { return delegates.size(); }
    bool resets_in(std::uint64_t tick) const { return Random(seed_ ^ tick * 77).chance(0.05); }

    Doings next(std::uint64_t tick, std::size_t who, Hook hook) {
        const std::uint64_t nth = calls_[{tick, who, hook}]++;
        Random random(seed_ * 31 + tick * 1009 + who * 101 + static_cast<std::uint64_t>(hook) * 11 +
                      nth * 100'003);
        const bool is_free = hook == Hook::activated || hook == Hook::updated || hook == Hook::called_back ||
                             hook == Hook::returned;
        Doings doings{.ops = {}, .throws = random.chance(0.03), .willing = random.chance(0.8)};
        const std::size_t count = is_free ? random.below(5) : random.chance(0.2) ? 1 : 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t target = random.below(size());
            const auto kind = static_cast<Op::Kind>(std::min<std::uint64_t>(random.below(9), 8));
            if (random.chance(0.6)) {  // the legal sequence
                doings.ops.push_back({Op::Kind::ask, target});
                doings.ops.push_back(
                    {random.chance(0.5) ? Op::Kind::delegate : Op::Kind::delegate_with_callback, target});
            } else if (kind <= Op::Kind::cancel_self) {
                doings.ops.push_back({kind, target});
            }
        }
        return doings;
    }

    std::vector<std::vector<std::size_t>> delegates;
    std::vector<bool> asks_delegates;  ///< see OperationModifiers

private:
    std::uint64_t seed_;
    std::map<std::tuple<std::uint64_t, std::size_t, Hook>, std::uint64_t> calls_;
};

}  // namespace caribou::behavior
