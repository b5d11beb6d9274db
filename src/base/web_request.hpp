#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.hpp"

/// HTTP as plain values; platform/http_server.hpp carries them.
namespace caribou {

struct WebRequest {
    std::string method = "GET";
    std::string target = "/";
    std::string body{};
    // Of the header fields, empty if missing:
    std::string host{};
    std::string origin{};
    std::string fetch_site{};
    std::string user_agent{};
    std::string authorization{};
    std::string accept_encoding{};
    std::string if_none_match{};
    std::string range{};
    std::string protocols{};   ///< that a WebSocket may speak, with commas between them
    bool upgrade = false;      ///< it asks for a WebSocket
    bool from_outside = true;  ///< of this machine
};

struct WebAnswer {
    unsigned status = 200;  ///< 101: here is the WebSocket that was asked for
    std::string type = "text/html; charset=utf-8";
    std::string body{};
    std::string location{};  ///< where to look instead, for 303
    std::string protocol{};  ///< that the WebSocket speaks, of those that were asked for
    /// More header fields, and those that are to differ from what every answer says.
    std::vector<std::pair<std::string, std::string>> fields{};
    /// In place of `body`: bytes that stand elsewhere, and whatever holds them there.
    ByteView bytes{};
    std::shared_ptr<const void> holder{};
};

/// A whole file, or the range of it that was asked for. A request for several ranges, or one that makes no
/// sense, gets the whole; one for what is behind the end gets 416.
WebAnswer web_file(const WebRequest& request, std::string type, ByteView file,
                   std::shared_ptr<const void> holder);

/// Whether the browser was sent here by a name of this machine's own, or by one of `others`. A page
/// elsewhere can have a name of its own lead to this machine, but not have the browser ask for
/// `localhost`.
bool is_for_us(const WebRequest& request, std::span<const std::string> others = {});

/// Whether the WebSocket that is asked for may speak this.
bool offers_protocol(const WebRequest& request, std::string_view protocol);

/// Whether no page of another site is behind a request that changes something. Browsers of
/// the last years say so themselves (Sec-Fetch-Site); older ones say it with Origin when
/// they post. All of them call themselves Mozilla, which programs do not.
bool is_our_own(const WebRequest& request);

}  // namespace caribou
