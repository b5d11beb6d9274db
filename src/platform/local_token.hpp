#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "loop/address.hpp"

namespace caribou {

/// The secret that lets programs of one account command robots through an HTTP port of this machine. It is
/// stored in `web-PORT.token`, readable by the account that serves the port (and root) only. It is kept when
/// the server ends, so that browsers that have it remain signed in after a restart.
class LocalToken {
public:
    enum class Lifetime { kept, of_process };  ///< of_process: removed by the destructor

    /// Returns the token of this port, and stores a new one if there is none, or if it is malformed, of
    /// another owner, or readable by others. Creates the folder, with access for its owner only.
    static Result<LocalToken> open(const std::filesystem::path& folder, std::uint16_t port,
                                   Lifetime lifetime);
    LocalToken(LocalToken&& other) noexcept;
    LocalToken& operator=(LocalToken&& other) noexcept;
    ~LocalToken();

    const std::string& text() const { return text_; }

    /// Number of characters, all of them hexadecimal digits.
    static constexpr std::size_t size = 48;

private:
    LocalToken(std::filesystem::path file, std::string text, Lifetime lifetime);

    std::filesystem::path file_;  ///< empty: not removed
    std::string text_;
};

/// The folder where the programs of this user store their state.
std::filesystem::path state_folder_of_user();

/// Returns the token for a server on this machine, from the state folder of this user or that of the system
/// services. Fails, saying what to do, if no token can be read, or if the port is not served by the account
/// that owns the token: another account must not receive it. Fails with malformed if the token's file is not
/// a regular file of mode 0600 with a token, or if this account owns a token and another one serves the port.
/// Never waits for a file.
Result<std::string> find_local_token(const Address& server);

/// Returns the address of the Unix socket beside the token, `web-PORT-NAMESPACE.sock`. NAMESPACE is the
/// number of the network namespace: programs in two of them may use the same port.
Address local_socket(const std::filesystem::path& folder, std::uint16_t port);

/// Returns the Unix socket of a server on this machine, made by the account that serves the port; nullopt if
/// there is none that this account may open. Other accounts cannot keep a program from connecting to it.
std::optional<Address> find_local_socket(const Address& server);

}  // namespace caribou
