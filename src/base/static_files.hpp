#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/web_request.hpp"

namespace caribou {

/// The files of a web page, for browsers. Names that change with their content (`assets/…`) are kept by a
/// browser for good, the others are asked for again and cost a few bytes if they have not changed. The page
/// may use nothing but itself: no other site, nothing inline.
class StaticFiles {
public:
    /// Their content by path, such as `assets/index-4f2a.js`. Where there is an `x.gz` too, it is `x`
    /// compressed.
    using Table = std::map<std::string, std::string, std::less<>>;

    StaticFiles() = default;
    explicit StaticFiles(Table files);

    bool empty() const { return files_.empty(); }
    /// None: it asks for no file of these. `/` is `index.html`.
    std::optional<WebAnswer> answer(const WebRequest& request) const;

private:
    struct File {
        std::string content;
        std::string compressed;  ///< empty: it is not
        std::string tag;         ///< tells this content from another
    };
    std::map<std::string, File, std::less<>> files_;
};

}  // namespace caribou
