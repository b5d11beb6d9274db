#include "loop/strand.hpp"

#include <utility>

#include "base/check.hpp"

namespace caribou {
namespace {

/// Nobody waits on a single loop: who would have to has forgotten to unlock.
class LocalLock final : public TryLock {
public:
    void lock() override { check(try_lock(), "a lock is released before it is taken again"); }
    bool try_lock() override { return !std::exchange(held_, true); }
    void unlock() override { held_ = false; }

private:
    bool held_ = false;
};

}  // namespace

std::unique_ptr<TryLock> LocalStrand::make_lock() { return std::make_unique<LocalLock>(); }

}  // namespace caribou
