#include "negotiation/message_setting.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::negotiation {
namespace {

using testing::HasSubstr;

/// The field `data` of a message of std_msgs.
struct DataField {
    explicit DataField(const std::string& type)
        : schema(*msg::find_schema("std_msgs/msg/" + type)),
          place(*msg::find_field(schema, "data")),
          message(msg::initial_value(schema)) {}

    msg::MessageValue& value() { return *msg::reach(schema, message, place); }
    std::string set(double number) {
        const auto done = set_number(place, value(), number);
        return done ? "" : done.error().message;
    }
    std::string set(const std::string& text) {
        const auto done = set_text(place, value(), text);
        return done ? "" : done.error().message;
    }

    const msg::MessageSchema& schema;
    msg::FieldPlace place;
    msg::MessageValue message;
};

TEST(MessageSetting, RefusesNumbersThatItWouldChange) {
    DataField integer("Int64");
    EXPECT_EQ(integer.set(2), "");
    EXPECT_THAT(integer.set(1.5), HasSubstr("expected an integer"));
    EXPECT_EQ(integer.set(100.00000000000001), "") << "the rounding of a conversion of units";
    EXPECT_THAT(integer.set(0x1p60), HasSubstr("exact as a text only"));
    DataField flag("Bool");
    EXPECT_EQ(flag.set(1), "");
    EXPECT_EQ(flag.set(0), "");
    EXPECT_THAT(flag.set(2), HasSubstr("expected 0 or 1"));
    DataField real("Float32");
    EXPECT_EQ(real.set(0.1), "");
    EXPECT_THAT(real.set(1e300), HasSubstr("it does not fit"));
}

TEST(MessageSetting, CarriesLargeIntegersAsTexts) {
    DataField integer("Int64");
    ASSERT_EQ(integer.set("9007199254740993"), "");
    EXPECT_EQ(std::get<std::int64_t>(integer.value().held), 9007199254740993);
    const auto back = bus_value(integer.place, integer.value());
    ASSERT_FALSE(back.has_value());
    EXPECT_THAT(back.error().message, HasSubstr("`data` is 9007199254740993: numbers on the bus are exact"));
    ASSERT_EQ(integer.set("-7"), "");
    EXPECT_EQ(std::get<double>(*bus_value(integer.place, integer.value())), -7);
    DataField small("Int32");
    EXPECT_THAT(small.set("3000000000"), HasSubstr("it does not fit"));
}

}  // namespace
}  // namespace caribou::negotiation
