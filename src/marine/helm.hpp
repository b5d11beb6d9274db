#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "behavior/fact_changes.hpp"
#include "behavior/facts.hpp"
#include "behavior/runner.hpp"
#include "marine/helm_context.hpp"

namespace caribou::marine {

struct HelmSettings {
    std::string vehicle = "vessel";  ///< for labels: the community
    bool start_in_drive = false;
    double nav_limit = 5;  ///< seconds after which the position is stale; warped
};

/// One value that a helm publishes.
struct HelmPost {
    std::string variable;
    std::variant<double, std::string> value;

    friend bool operator==(const HelmPost&, const HelmPost&) = default;
};

/// A helm on the behavior engine, with the variables of pHelmIvP (docs/marine.md): values of the bus in,
/// desired heading and speed out. A state machine without a bus.
class Helm {
public:
    /// Reads a tree of behaviors (docs/formats/behavior-tree.md) with the classes of a helm. The error lists
    /// everything that is wrong with it.
    static Result<std::unique_ptr<Helm>> make(HelmSettings settings, const std::string& path,
                                              std::string_view tree);
    ~Helm();

    /// Returns the variables that the helm must receive: its own and those of its conditions.
    const std::vector<std::string>& variables() const { return variables_; }
    void on_value(std::string_view variable, double value, double time);
    void on_value(std::string_view variable, std::string_view value, double time);

    /// Decides once. `stamp` is the present time as values are stamped.
    std::vector<HelmPost> step(Instant now, double stamp);

    bool drives() const { return drives_; }
    /// Returns whether the helm has control, but no fresh position, heading and speed: an all-stop.
    bool lacks_nav(double stamp) const { return drives_ && !nav_is_fresh(stamp); }
    /// Returns the latest value of IVPHELM_ALLSTOP; empty before the first step.
    std::string allstop() const;
    /// Returns the id of the behavior in control; empty if there is none.
    std::string active_behavior() const;

private:
    struct Nav {
        double value = 0;
        std::optional<double> time{};
    };
    enum class AllStop : std::uint8_t { clear, manual_override, nothing_to_do, behavior_error };

    explicit Helm(HelmSettings settings);
    bool nav_is_fresh(double stamp) const;
    AllStop decide(Instant now, double stamp);
    void post(std::string variable, double value);
    void post(std::string variable, std::string value);
    void post_changed(const std::string& variable, std::string value);
    void post_orders(AllStop stop);
    void post_reports(AllStop stop, double stamp);
    void post_view(bool again);
    void post_course();
    void erase_view();

    HelmSettings settings_;
    HelmContext context_;
    behavior::Facts facts_;
    behavior::FactChanges changes_;
    behavior::FactDeclarations declared_;
    behavior::ClassRegistry classes_;
    std::unique_ptr<behavior::BehaviorRunner> runner_;
    std::string base_;
    std::vector<std::string> variables_;
    std::map<std::string, Nav, std::less<>> nav_;
    bool drives_ = false;
    bool stopped_ = false;  ///< zeros were posted
    std::uint64_t iteration_ = 0;
    std::map<std::string, std::string> last_;  ///< posts that are repeated only if they change
    std::optional<HelmCourse> shown_;
    std::string shown_by_;
    bool must_show_again_ = false;
    double last_shown_again_ = -1e18;
    std::vector<HelmPost> posts_;
};

}  // namespace caribou::marine
