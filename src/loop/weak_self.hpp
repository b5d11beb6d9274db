#pragma once

#include <memory>
#include <utility>

namespace caribou {

/// Lets posted tasks and callbacks refer to an object that may be destroyed before they run. A member of the
/// object; not copied with it.
template <class T>
class WeakSelf {
public:
    explicit WeakSelf(T& self) : self_(std::make_shared<T*>(&self)) {}
    WeakSelf(const WeakSelf&) = delete;
    WeakSelf& operator=(const WeakSelf&) = delete;

    /// Returns a function that calls `call(self, arguments...)`, or does nothing once the object is
    /// destroyed. It must be called on the strand on which the object is used and destroyed.
    template <class Call>
    auto bind(Call call) const {
        return [weak = std::weak_ptr(self_), call = std::move(call)]<class... A>(A&&... arguments) {
            if (const auto alive = weak.lock()) call(**alive, std::forward<A>(arguments)...);
        };
    }

private:
    std::shared_ptr<T*> self_;
};

}  // namespace caribou
