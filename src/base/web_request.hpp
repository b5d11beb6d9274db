#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.hpp"

/// HTTP requests and responses as plain values; platform/http_server.hpp transports them.
namespace caribou {

struct WebRequest {
    std::string method = "GET";
    std::string target = "/";
    std::string body{};
    // Header fields, empty if missing:
    std::string host{};
    std::string origin{};
    std::string fetch_site{};
    std::string user_agent{};
    std::string authorization{};
    std::string cookie{};
    std::string accept_encoding{};
    std::string if_none_match{};
    std::string range{};
    std::string protocols{};   ///< subprotocols offered for a WebSocket, separated by commas
    bool upgrade = false;      ///< the request is for a WebSocket
    bool from_outside = true;  ///< sent from another machine
};

struct WebAnswer {
    unsigned status = 200;  ///< 101 accepts the requested WebSocket
    std::string type = "text/html; charset=utf-8";
    std::string body{};
    std::string location{};  ///< redirect target, for 303
    std::string protocol{};  ///< the WebSocket subprotocol that was selected from those offered
    /// Additional header fields; these also override the fields that every response has.
    std::vector<std::pair<std::string, std::string>> fields{};
    /// Used instead of `body`: bytes stored elsewhere, and a holder that keeps them in memory.
    ByteView bytes{};
    std::shared_ptr<const void> holder{};
};

/// Returns the whole file, or the requested range of it. A request for several ranges or for a malformed one
/// gets the whole file; a range that starts beyond the end gets status 416.
WebAnswer web_file(const WebRequest& request, std::string type, ByteView file,
                   std::shared_ptr<const void> holder);

/// Returns whether the Host field names this machine or one of `others`. This defends against DNS rebinding:
/// a foreign page can make its own host name resolve to this machine, but it cannot make the browser send
/// `localhost`.
bool is_for_us(const WebRequest& request, std::span<const std::string> others = {});

/// Returns the value of a cookie that the request carries; empty if it does not.
std::string_view cookie_of(const WebRequest& request, std::string_view name);

/// Returns whether the request is for a WebSocket and offers this subprotocol.
bool offers_protocol(const WebRequest& request, std::string_view protocol);

/// Returns whether a request that changes state was not caused by a page of another site. Current browsers
/// send Sec-Fetch-Site; older ones send Origin with a POST. User agents of all browsers start with
/// `Mozilla/`, those of other programs do not.
bool is_our_own(const WebRequest& request);

}  // namespace caribou
