#include "loop/strand.hpp"

#include <utility>

#include "base/check.hpp"

namespace caribou {
namespace {

/// A lock on a single loop is never contended; waiting for it would mean that an unlock is missing.
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
