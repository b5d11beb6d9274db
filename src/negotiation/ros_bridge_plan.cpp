#include "negotiation/ros_bridge_plan.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "base/toml.hpp"
#include "loop/duration_text.hpp"
#include "negotiation/message_setting.hpp"

namespace caribou::negotiation {
namespace {

using Kind = JsonNode::Kind;
constexpr std::size_t max_faults = 20;

class PlanReader {
public:
    PlanReader(const NamedText& file, const OpenMessageFolders& open_folders)
        : file_(file), open_folders_(open_folders), faults_(std::span(&file_, 1), max_faults) {}

    std::expected<BridgePlan, std::vector<TextFault>> read() {
        const auto root = read_toml(file_.text);
        if (!root) {
            faults_.add({0, root.error().offset}, root.error().message);
            return std::unexpected(faults_.take());
        }
        check_keys(*root, {"bus", "ros", "to_ros", "from_ros"});
        read_bus(*root);
        read_ros(*root);
        read_types(*root);
        read_routes(*root, "to_ros", BridgeWay::to_ros);
        read_routes(*root, "from_ros", BridgeWay::from_ros);
        if (plan_.routes.empty() && faults_.empty())
            complain(*root, "nothing to carry: write [[to_ros]] or [[from_ros]], each with a topic");
        if (!faults_.empty()) return std::unexpected(faults_.take());
        return std::move(plan_);
    }

private:
    void complain(const JsonNode& at, std::string what) { faults_.add({0, at.offset}, std::move(what)); }
    void complain_of_key(const JsonNode& at, std::string what) {
        faults_.add({0, at.key_offset}, std::move(what));
    }

    void check_keys(const JsonNode& table, const std::vector<std::string>& known) {
        for (const JsonNode& item : table.items)
            if (std::ranges::find(known, item.key) == known.end())
                complain_of_key(
                    item, fmt::format("there is no `{}` here{}", item.key, instead_of(item.key, known)));
    }
    const JsonNode* table_in(const JsonNode& root, std::string_view key) {
        const JsonNode* table = root.find(key);
        if (table != nullptr && !table->is(Kind::object)) {
            complain(*table, fmt::format("`{0}` is a table: write [{0}]", key));
            return nullptr;
        }
        return table;
    }
    std::optional<std::string> text_in(const JsonNode& table, std::string_view key) {
        const JsonNode* node = table.find(key);
        if (node == nullptr) return {};
        if (!node->is(Kind::text)) {
            complain(*node, fmt::format("`{}` is a text, not {}", key, name_of(node->kind)));
            return {};
        }
        return node->text;
    }
    /// Returns the index in `words` of the text at `key`, or 0 if the key is absent. If the text is not one
    /// of them, reports an error and returns 0.
    std::size_t word_in(const JsonNode& table, std::string_view key, const std::vector<std::string>& words) {
        const auto word = text_in(table, key);
        if (!word) return 0;
        const auto found = std::ranges::find(words, *word);
        if (found == words.end())
            complain(*table.find(key), fmt::format("`{}` is {}, not `{}`", key, listed(words, "or"), *word));
        return found == words.end() ? 0 : static_cast<std::size_t>(found - words.begin());
    }

    void read_bus(const JsonNode& root) {
        const JsonNode* bus = table_in(root, "bus");
        if (bus == nullptr) return;
        check_keys(*bus, {"broker", "name"});
        if (const auto name = text_in(*bus, "name")) plan_.client = *name;
        if (const auto broker = text_in(*bus, "broker")) {
            const auto address = Address::parse(*broker);
            if (address)
                plan_.broker = *address;
            else
                complain(*bus->find("broker"), address.error().message);
        }
    }

    void read_ros(const JsonNode& root) {
        const JsonNode* ros = table_in(root, "ros");
        if (ros == nullptr) return;
        check_keys(*ros, {"node", "namespace", "layout", "domain", "interface", "peers", "messages"});
        if (const auto node = text_in(*ros, "node")) plan_.node = *node;
        if (const auto space = text_in(*ros, "namespace")) plan_.name_space = *space;
        if (const auto interface = text_in(*ros, "interface")) plan_.dds.interface = *interface;
        plan_.layout = static_cast<RosLayoutChoice>(word_in(*ros, "layout", {"auto", "humble", "jazzy"}));
        if (const JsonNode* domain = ros->find("domain")) {
            if (!domain->is(Kind::number) || domain->number < 0 || domain->number > DdsSettings::max_domain ||
                domain->number != std::floor(domain->number))
                complain(*domain,
                         fmt::format("`domain` is a whole number from 0 to {}", DdsSettings::max_domain));
            else
                plan_.dds.domain = static_cast<int>(domain->number);
        }
        if (const JsonNode* peers = ros->find("peers")) {
            for (const JsonNode& peer : peers->items) plan_.dds.peers.push_back(peer.text);
            if (!peers->is(Kind::list) ||
                std::ranges::any_of(peers->items, [](const JsonNode& peer) { return !peer.is(Kind::text); }))
                complain(*peers, "`peers` is a list of names or addresses of machines");
        }
    }

    /// Reads `messages`, a folder or a list of folders with descriptions of messages.
    void read_types(const JsonNode& root) {
        const JsonNode* ros = root.find("ros");
        const JsonNode* messages = ros != nullptr ? ros->find("messages") : nullptr;
        std::vector<std::string> folders;
        if (messages != nullptr) {
            if (messages->is(Kind::text)) folders.push_back(messages->text);
            for (const JsonNode& folder : messages->items)
                if (folder.is(Kind::text)) folders.push_back(folder.text);
            if (folders.empty() || (messages->is(Kind::list) && folders.size() != messages->items.size()))
                complain(*messages, "`messages` is a folder, or a list of folders");
        }
        const bool has_folders = !folders.empty() && open_folders_;
        plan_.types = std::make_shared<msg::MessageTypes>(has_folders ? open_folders_(folders)
                                                                      : msg::MessageTypes::FindFile());
    }

    void read_routes(const JsonNode& root, std::string_view key, BridgeWay way) {
        const JsonNode* routes = root.find(key);
        if (routes == nullptr) return;
        if (!routes->is(Kind::list))
            return complain(*routes, fmt::format("`{0}` is a list: write [[{0}]]", key));
        for (const JsonNode& route : routes->items) {
            if (route.is(Kind::object))
                read_route(route, way);
            else
                complain(route, fmt::format("write [[{}]]", key));
        }
    }

    void read_route(const JsonNode& node, BridgeWay way) {
        std::vector<std::string> keys{"topic", "type", "fields", "message", "reliability", "keep"};
        if (way == BridgeWay::to_ros) keys.insert(keys.end(), {"period", "constants"});
        if (way == BridgeWay::from_ros) keys.push_back("not_finite");
        check_keys(node, keys);
        BridgeRoute route{
            .way = way, .topic = {text_in(node, "topic").value_or(""), ""}, .frame = {}, .fields = {}};
        if (node.find("topic") == nullptr) complain(node, "a topic is missing: topic = \"/odom\"");
        const auto type = text_in(node, "type");
        if (!type) {
            if (node.find("type") == nullptr)
                complain(node, "a type is missing: type = \"nav_msgs/msg/Odometry\"");
            return;
        }
        if (node.find("message") != nullptr ? !read_whole(node, *type, route)
                                            : !find_type(node, *type, route))
            return;
        if (word_in(node, "reliability", {"reliable", "best_effort"}) == 1)
            route.qos.reliability = Reliability::best_effort;
        route.passes_not_finite = word_in(node, "not_finite", {"refuse", "pass"}) == 1;
        read_keep(node, route);
        if (const auto period = text_in(node, "period")) {
            const auto duration = duration_from(*period);
            if (duration)
                route.period = *duration;
            else
                complain(*node.find("period"),
                         fmt::format("`{}` is not a duration; expected one such as 100ms or 2s", *period));
        }
        if (!route.topic.name.empty())
            if (const auto good = check_topic(route.topic, route.qos); !good)
                complain(*node.find("topic"), good.error().message);
        if (route.schema != nullptr) {
            route.frame = msg::initial_value(*route.schema);
            read_constants(node, route);
            read_fields(node, route);
        }
        plan_.routes.push_back(std::move(route));
    }

    bool find_type(const JsonNode& node, const std::string& type, BridgeRoute& route) {
        const auto schema = plan_.types->find(type);
        if (!schema) {
            complain(*node.find("type"), schema.error().message);
            return false;
        }
        route.schema = *schema;
        route.topic.type = route.schema->type_name;
        return true;
    }

    /// Reads `message = "IMAGE"`: the variable that holds the whole message.
    bool read_whole(const JsonNode& node, const std::string& type, BridgeRoute& route) {
        route.whole = text_in(node, "message").value_or("");
        if (!is_variable(route.whole))
            complain(*node.find("message"),
                     fmt::format("`{}` is not a name of a variable of the bus", route.whole));
        for (const std::string_view key : {"fields", "constants"})
            if (const JsonNode* other = node.find(key))
                complain_of_key(*other, fmt::format("expected either `message` or `{}`", key));
        route.topic.type = msg::full_type_name(type);
        if (!route.topic.type.empty()) return true;
        complain(*node.find("type"), fmt::format("`{}` is not a type; expected package/msg/Name", type));
        return false;
    }

    static bool is_variable(std::string_view name) {
        return !name.empty() && name.find_first_of("*?,") == std::string_view::npos;
    }

    /// Reads `keep = 1`: the number of messages kept for late joiners.
    void read_keep(const JsonNode& node, BridgeRoute& route) {
        const JsonNode* keep = node.find("keep");
        if (keep == nullptr) return;
        if (!keep->is(Kind::number) || keep->number < 1 || keep->number > 1000 ||
            keep->number != std::floor(keep->number))
            return complain(*keep,
                            "`keep` is how many messages are kept for those who come later: 1 to 1000");
        route.qos.durability = Durability::transient_local;
        route.qos.depth = static_cast<std::size_t>(keep->number);
    }

    void read_constants(const JsonNode& node, BridgeRoute& route) {
        const JsonNode* constants = table_in(node, "constants");
        if (constants == nullptr) return;
        for (const JsonNode& constant : constants->items) {
            const auto place = msg::find_field(*route.schema, constant.key);
            if (!place) {
                complain_of_key(constant, place.error().message);
                continue;
            }
            msg::MessageValue& into = *msg::reach(*route.schema, route.frame, *place);
            const Result<void> set =
                constant.is(Kind::text)     ? set_text(*place, into, constant.text)
                : constant.is(Kind::number) ? set_number(*place, into, constant.number)
                : constant.is(Kind::truth)
                    ? set_number(*place, into, constant.truth ? 1 : 0)
                    : fail(Code::invalid_argument, "a constant is a text, a number or a bool");
            if (!set) complain(constant, set.error().message);
        }
    }

    void read_fields(const JsonNode& node, BridgeRoute& route) {
        const JsonNode* fields = table_in(node, "fields");
        if (fields == nullptr || fields->items.empty())
            return complain(
                fields == nullptr ? node : *fields,
                "fields are missing: [to_ros.fields] with lines like \"linear.x\" = \"SPEED\", or "
                "message = \"VARIABLE\" for the whole message");
        for (const JsonNode& field : fields->items) {
            auto place = msg::find_field(*route.schema, field.key);
            if (!place) {
                complain_of_key(field, place.error().message);
                continue;
            }
            BridgeField read{.path = field.key, .place = std::move(*place), .variable = field.text};
            if (field.is(Kind::object)) {
                check_keys(field, {"variable", "unit"});
                read.variable = text_in(field, "variable").value_or("");
                if (const auto unit = text_in(field, "unit")) {
                    if (const RosUnit* known = find_unit(*unit))
                        read.unit = *known;
                    else
                        complain(*field.find("unit"), fmt::format("there is no unit `{}`{}", *unit,
                                                                  instead_of(*unit, known_units())));
                }
            } else if (!field.is(Kind::text)) {
                complain(field, "write the variable's name, or {variable = \"NAME\", unit = \"deg\"}");
                continue;
            }
            if (!is_variable(read.variable))
                complain(field, fmt::format("`{}` is not a name of a variable of the bus", read.variable));
            read.is_yaw = is_rotation(read.place);
            if (const auto carried = can_be_set(read.place); !carried)
                complain_of_key(field, carried.error().message);
            route.fields.push_back(std::move(read));
        }
    }

    NamedText file_;
    const OpenMessageFolders& open_folders_;
    FaultList faults_;
    BridgePlan plan_;
};

}  // namespace

std::expected<BridgePlan, std::vector<TextFault>> read_bridge_plan(const NamedText& file,
                                                                   const OpenMessageFolders& open_folders) {
    return PlanReader(file, open_folders).read();
}

}  // namespace caribou::negotiation
