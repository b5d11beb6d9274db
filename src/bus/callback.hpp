#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace caribou::bus {

/// A handler that may replace or remove itself while it is running.
template <class... Args>
class Callback {
public:
    using Function = std::move_only_function<void(Args...)>;

    /// Replaces the handler; an empty function removes it.
    void set(Function function) {
        function_ = function ? std::make_shared<Function>(std::move(function)) : nullptr;
    }
    explicit operator bool() const { return function_ != nullptr; }
    /// Calls the handler, if there is one.
    void operator()(Args... args) const {
        if (const auto running = function_) (*running)(std::forward<Args>(args)...);
    }

private:
    std::shared_ptr<Function> function_;
};

}  // namespace caribou::bus
