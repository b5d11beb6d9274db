#include "adapters/openssl/sha256.hpp"

#include <openssl/evp.h>

#include <array>

#include <fmt/format.h>

namespace caribou {

std::string sha256_of(std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
    std::string text;
    for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest.at(i));
    return text;
}

}  // namespace caribou
