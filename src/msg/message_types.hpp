#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/text_fault.hpp"
#include "msg/schema.hpp"

namespace caribou::msg {

/// Message types by name: those of `.msg` files, which are read when they are first used, and those that come
/// with Caribou. Files come first, because a type may differ between versions of ROS 2.
class MessageTypes {
public:
    /// Returns the file that describes `package/msg/Name`. Fails with not_found if there is none.
    using FindFile = std::function<Result<NamedText>(std::string_view package, std::string_view name)>;

    /// Limits of a type that is read from files.
    static constexpr std::size_t max_fixed_size = 1 << 20;  ///< bytes of an empty message
    static constexpr std::size_t max_depth = 32;            ///< messages inside each other

    /// Without `find_file`: only the types that come with Caribou.
    explicit MessageTypes(FindFile find_file = {});
    MessageTypes(const MessageTypes&) = delete;
    MessageTypes& operator=(const MessageTypes&) = delete;
    ~MessageTypes();

    /// Finds a type by `std_msgs/msg/String` or `std_msgs/String`. The schema is valid as long as this
    /// object. Fails with not_found, and with malformed if the file, or that of a nested message, has an
    /// error: `FILE:LINE:COLUMN: what is wrong`.
    Result<const MessageSchema*> find(std::string_view type_name);

private:
    struct Type;

    Result<const MessageSchema*> load(std::string_view package, std::string_view name);
    Result<const MessageSchema*> make(std::string type_name, std::string_view package, const NamedText& file);

    FindFile find_file_;
    std::map<std::string, std::unique_ptr<Type>, std::less<>> types_;
    std::vector<std::string> under_way_;  ///< types whose files are being read, outermost first
};

/// Returns the full name of a type, `std_msgs/msg/String`; empty if the text is not a name of one.
std::string full_type_name(std::string_view type_name);

}  // namespace caribou::msg
