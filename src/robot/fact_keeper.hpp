#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/log.hpp"
#include "base/result.hpp"
#include "behavior/kept_facts.hpp"
#include "loop/time.hpp"

namespace caribou::robot {

/// Persistent storage of one text.
class FactStore {
public:
    virtual ~FactStore() = default;
    /// Fails with Code::not_found if nothing was saved yet.
    virtual Result<std::string> load() = 0;
    /// Replaces the text; after a failure or a power cut the one before remains.
    virtual Result<void> save(std::string_view text) = 0;
};

/// Stores the facts that a tree declares as kept, and restores them at the start. A stored text that cannot
/// be read is reported; one of a newer version is also left as it is.
class FactKeeper {
public:
    /// Shortest time between two writes while behaviors run.
    static constexpr Duration pause = std::chrono::seconds(5);

    /// `store` may be null: nothing is kept. Both must outlive this object.
    FactKeeper(FactStore* store, Log& log) : store_(store), log_(log) {}

    /// Restores the facts that the tree declares as kept. Facts of an earlier tree stay stored.
    void set_tree(const behavior::FactDeclarations& declared, behavior::Facts& facts);
    /// Saves the kept facts if they have changed, at most once per `pause`. For every tick.
    void look(const behavior::Facts& facts, Instant now);
    /// Saves the kept facts at once if they have changed.
    void save(const behavior::Facts& facts);

private:
    void load();

    FactStore* store_;
    Log& log_;
    bool is_loaded_ = false;
    behavior::FactDeclarations kept_;  ///< of the tree
    behavior::KeptFacts stored_;
    Instant not_before_ = Instant::min();
};

}  // namespace caribou::robot
