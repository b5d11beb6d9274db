// Each row is a box. Siblings are placed below each other, a parent is centered on its subtree, and each
// depth has a column as wide as its widest box.

#include <algorithm>

#include <fmt/format.h>

#include "behavior/plan_text.hpp"
#include "behavior/tree_picture.hpp"
#include "behavior/tree_rows.hpp"

namespace caribou::behavior {
namespace {

// In pixels.
constexpr double line_height = 15;
constexpr double letter_width = 6.7;  ///< of the widest common font, at 12 pixels
constexpr double padding = 8;
constexpr double row_gap = 10;
constexpr double column_gap = 46;
constexpr double margin = 16;
constexpr std::size_t longest_line = 46;

struct Line {
    std::string text;
    std::string_view style;
};

struct Box {
    TreeRow row;
    std::vector<Line> lines;
    double x = 0;
    double y = 0;  ///< of its upper edge
    double width = 0;
    double height = 0;
    double middle() const { return y + height / 2; }
};

/// Returns the text truncated to `longest_line` characters. Counts characters, not bytes.
std::string shortened(const std::string& text) {
    std::size_t characters = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;
        if (++characters == longest_line) return text.substr(0, i) + "…";
    }
    return text;
}

std::string escaped_for_svg(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '&')
            out += "&amp;";
        else
            out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out;
}

Box box_of(TreeRow row, const TreePlan& plan, const ClassRegistry& classes) {
    const TreeEntry& entry = plan.entries[row.entry];
    Box box{.row = std::move(row), .lines = {}};
    if (!box.row.place.empty()) box.lines.push_back({shortened(box.row.place), "place"});
    if (!entry.is_anonymous()) box.lines.push_back({shortened(entry.id), "id"});
    box.lines.push_back({shortened(entry.class_name), "class"});
    if (!box.row.is_again)
        for (const std::string& detail : describe_entry(entry, classes))
            box.lines.push_back({shortened(detail), "detail"});
    std::size_t widest = 0;
    for (const Line& line : box.lines) widest = std::max(widest, line.text.size());
    box.width = static_cast<double>(widest) * letter_width + 2 * padding;
    box.height = static_cast<double>(box.lines.size()) * line_height + padding;
    return box;
}

void place_columns(std::vector<Box>& boxes) {
    std::vector<double> widths;
    for (const Box& box : boxes) {
        widths.resize(std::max(widths.size(), box.row.depth + 1));
        widths[box.row.depth] = std::max(widths[box.row.depth], box.width);
    }
    double x = margin;
    std::vector<double> columns;
    for (const double width : widths) {
        columns.push_back(x);
        x += width + column_gap;
    }
    for (Box& box : boxes) box.x = columns[box.row.depth];
}

/// The height of a box with its subtree, and the part of it that its children take.
struct Block {
    double height = 0;
    double children = 0;
    double next = 0;  ///< where its next child is placed
};

/// Parents precede their children in the list: heights are summed up backward, then positions are assigned
/// forward.
void place_rows(std::vector<Box>& boxes) {
    std::vector<Block> blocks(boxes.size());
    for (std::size_t i = boxes.size(); i-- > 0;) {
        blocks[i].height = std::max(boxes[i].height, blocks[i].children);
        if (boxes[i].row.parent == TreeRow::none) continue;
        Block& parent = blocks[boxes[i].row.parent];
        parent.children += blocks[i].height + (parent.children > 0 ? row_gap : 0);
    }
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        double top = margin;
        if (boxes[i].row.parent != TreeRow::none) {
            Block& parent = blocks[boxes[i].row.parent];
            top = parent.next;
            parent.next += blocks[i].height + row_gap;
        }
        boxes[i].y = top + (blocks[i].height - boxes[i].height) / 2;
        blocks[i].next = top + (blocks[i].height - blocks[i].children) / 2;
    }
}

std::string draw(const Box& box, bool is_base) {
    std::string text = fmt::format(
        "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"6\"/>\n",
        box.row.is_again ? "again"
        : is_base        ? "base"
                         : "box",
        box.x, box.y, box.width, box.height);
    double y = box.y + line_height;
    for (const Line& line : box.lines) {
        text += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", line.style,
                            box.x + padding, y, escaped_for_svg(line.text));
        y += line_height;
    }
    return text;
}

std::string draw_branch(const Box& parent, const Box& child) {
    const double from = parent.x + parent.width;
    const double bend = child.x - column_gap / 2;
    return fmt::format("<path d=\"M{:.1f} {:.1f} H{:.1f} C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\"/>\n",
                       from, parent.middle(), std::max(from, child.x - column_gap), bend, parent.middle(),
                       bend, child.middle(), child.x, child.middle());
}

constexpr std::string_view style = R"(<style>
svg { background: #ffffff; font: 12px "DejaVu Sans", Verdana, sans-serif; }
rect { fill: #f4f6f8; stroke: #7a8794; }
rect.base { stroke: #1f6feb; stroke-width: 2; }
rect.again { fill: none; stroke-dasharray: 4 3; }
path { fill: none; stroke: #9aa5b1; }
text { fill: #3c4650; }
text.id { font-weight: bold; fill: #10161c; }
text.class { fill: #1f6feb; }
text.place { fill: #a04000; font-style: italic; }
</style>
)";

}  // namespace

std::string svg_of(const TreePlan& plan, const ClassRegistry& classes) {
    std::vector<Box> boxes;
    for (TreeRow& row : rows_of(plan, classes)) boxes.push_back(box_of(std::move(row), plan, classes));
    place_columns(boxes);
    place_rows(boxes);
    double width = 0;
    double height = 0;
    std::string drawn;
    for (const Box& box : boxes) {
        width = std::max(width, box.x + box.width + margin);
        height = std::max(height, box.y + box.height + margin);
        if (box.row.parent != TreeRow::none) drawn += draw_branch(boxes[box.row.parent], box);
    }
    for (const Box& box : boxes) drawn += draw(box, box.row.parent == TreeRow::none);
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
        "{0:.0f} {1:.0f}\">\n"
        "{2}{3}</svg>\n",
        width, height, style, drawn);
}

}  // namespace caribou::behavior
