#include "caribou/qr_text.hpp"

#include <qrencode.h>

#include <array>
#include <memory>

namespace caribou::app {
namespace {

constexpr int quiet_zone = 2;

struct Free {
    void operator()(QRcode* code) const { QRcode_free(code); }
};

bool is_dark(const QRcode& code, int row, int column) {
    if (row < 0 || column < 0 || row >= code.width || column >= code.width) return false;
    return (code.data[row * code.width + column] & 1U) != 0;
}

}  // namespace

std::string qr_text(std::string_view text, bool coloured) {
    const std::unique_ptr<QRcode, Free> code(
        QRcode_encodeString(std::string(text).c_str(), 0, QR_ECLEVEL_L, QR_MODE_8, 1));
    if (!code) return {};
    constexpr std::array<std::string_view, 4> blocks{" ", "▄", "▀", "█"};
    std::string lines;
    for (int row = -quiet_zone; row < code->width + quiet_zone; row += 2) {
        if (coloured) lines += "\x1b[30;107m";
        for (int column = -quiet_zone; column < code->width + quiet_zone; ++column)
            lines +=
                blocks[(is_dark(*code, row, column) ? 2U : 0U) + (is_dark(*code, row + 1, column) ? 1U : 0U)];
        lines += coloured ? "\x1b[0m\n" : "\n";
    }
    return lines;
}

}  // namespace caribou::app
