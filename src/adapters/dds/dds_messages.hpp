#pragma once

#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>

#include "adapters/dds/repeat_filter.hpp"

namespace caribou {

/// The messages that CycloneDDS writes for people, such as `sendto failed`. DDS has one such output per
/// process; without a listener they go to stderr.
class DdsMessages {
public:
    using Handler = std::function<void(const std::string&)>;

    /// Receives the messages during its lifetime, filtered. The handler is called on threads of DDS.
    class Listener {
    public:
        explicit Listener(Handler handler);
        Listener(const Listener&) = delete;
        Listener& operator=(const Listener&) = delete;
        ~Listener();

    private:
        std::list<Handler>::iterator place_;
    };

private:
    static DdsMessages& all();
    static void hear(std::string_view message);

    std::mutex mutex_;
    RepeatFilter filter_;
    std::list<Handler> handlers_;
};

}  // namespace caribou
