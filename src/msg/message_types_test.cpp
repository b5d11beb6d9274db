#include "msg/message_types.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <test_paths.hpp>
#include "msg/counted_message.hpp"
#include "msg/message_value.hpp"

namespace caribou::msg {
namespace {

using testing::HasSubstr;
using Files = std::map<std::string, std::string>;

/// Types of files in memory, by `package/Name`.
MessageTypes::FindFile in_memory(Files files) {
    return [files = std::move(files)](std::string_view package, std::string_view name) -> Result<NamedText> {
        const std::string key = std::string(package) + "/" + std::string(name);
        const auto found = files.find(key);
        if (found == files.end()) return fail(Code::not_found, "none");
        return NamedText{key + ".msg", found->second};
    };
}

std::string fault_of(const std::string& text) {
    MessageTypes types(in_memory({{"a/M", text}}));
    const auto found = types.find("a/M");
    return found ? "" : found.error().message;
}

TEST(MessageTypes, AreReadFromFiles) {
    MessageTypes types(in_memory({{"boats/Engine",
                                   "# Of a boat.\n"
                                   "uint8 OFF=0\n"
                                   "string LABEL = \"# no comment\"\n"
                                   "std_msgs/Header header\n"
                                   "\n"
                                   "float32 speed -1.5   # rpm\n"
                                   "bool running true\n"
                                   "uint16 mask 0x0f\r\n"
                                   "string<=5 name \"x\"\n"
                                   "Cylinder[2] cylinders\n"
                                   "int8[<=3] gears\n"
                                   "byte[] raw\n"},
                                  {"boats/Cylinder", "float64 pressure\ngeometry_msgs/msg/Point place"}}));
    const auto found = types.find("boats/Engine");
    ASSERT_TRUE(found) << found.error().message;
    const MessageSchema& engine = **found;
    EXPECT_EQ(engine.type_name, "boats/msg/Engine");
    ASSERT_EQ(engine.fields.size(), 8U);
    const MessageValue first = initial_value(engine);
    const auto value_at = [&](std::string_view path) { return *at(first, *find_field(engine, path)); };
    EXPECT_EQ(value_at("speed"), MessageValue{-1.5});
    EXPECT_EQ(value_at("running"), MessageValue{true});
    EXPECT_EQ(value_at("mask"), MessageValue{std::uint64_t{15}});
    EXPECT_EQ(value_at("cylinders[1].place.x"), MessageValue{0.0});
    EXPECT_EQ(engine.fields[4].text_bound, 5U);
    EXPECT_EQ(engine.fields[6].array, ArrayKind::bounded);
    EXPECT_EQ(engine.fields[6].size, 3U);
    const MessageValue value = CountedMessage(engine).value();
    const auto read = decode_value(engine, encode_value(engine, value));
    ASSERT_FALSE(read) << "its texts have six bytes";
    EXPECT_THAT(read.error().message, HasSubstr("more than 5 bytes"));
    EXPECT_EQ(*decode_value(engine, encode_value(engine, first)), first);
    EXPECT_EQ(types.find("boats/msg/Engine").value(), &engine) << "it is read once";
}

TEST(MessageTypes, OfFilesReplaceThoseThatComeWithCaribou) {
    MessageTypes types(in_memory({{"sensor_msgs/Range", "float32 range\nfloat32 variance"}}));
    EXPECT_EQ(types.find("sensor_msgs/Range").value()->fields.size(), 2U);
    EXPECT_EQ(types.find("sensor_msgs/Imu").value(), find_schema("sensor_msgs/Imu"));
    MessageTypes none;
    EXPECT_EQ(none.find("sensor_msgs/Range").value(), find_schema("sensor_msgs/Range"));
}

TEST(MessageTypes, NameTheFaultAndItsPlace) {
    EXPECT_EQ(fault_of("int32 x\n  int23 y\n"),
              "a/M.msg:2:3: there is no type `int23`; did you mean `int32`?");
    EXPECT_THAT(fault_of("int32"), HasSubstr("a/M.msg:1:1: a name is missing after `int32`"));
    EXPECT_THAT(fault_of("int32 2x"), HasSubstr("a name is missing"));
    EXPECT_THAT(fault_of("wstring x"), HasSubstr("`wstring` is not supported; expected `string`"));
    EXPECT_THAT(fault_of("uint8 x 256"), HasSubstr("`256` is not a value of uint8"));
    EXPECT_THAT(fault_of("uint8 x 1.5"), HasSubstr("`1.5` is not a value of uint8"));
    EXPECT_THAT(fault_of("bool x maybe"), HasSubstr("`maybe` is not a value of bool"));
    EXPECT_THAT(fault_of("int32[0] x"), HasSubstr("`int32[0]` is not a type"));
    EXPECT_THAT(fault_of("int32[<=] x"), HasSubstr("is not a type"));
    EXPECT_THAT(fault_of("int32<=3 x"), HasSubstr("is not a type"));
    EXPECT_THAT(fault_of("int32[2 x"), HasSubstr("is not a type"));
    EXPECT_THAT(fault_of("a/b/c/M x"), HasSubstr("is not a type"));
    EXPECT_THAT(fault_of("../M x"), HasSubstr("is not a type"));
    EXPECT_THAT(fault_of("int32 x\nstring x"), HasSubstr("M.msg:2:1: there are two fields named `x`"));
    EXPECT_THAT(fault_of("std_msgs/Strign x"), HasSubstr("there is no message `std_msgs/msg/Strign`"));
    EXPECT_THAT(fault_of("std_msgs/Bool X=1"), HasSubstr("a constant is a number"));
    EXPECT_THAT(fault_of("uint8 X="), HasSubstr("the value of the constant is missing"));
    EXPECT_THAT(fault_of("M x"), HasSubstr("`a/msg/M` contains itself"));
    EXPECT_THAT(fault_of("float64[99999999999999999] x"), HasSubstr("larger than 1048576 bytes"));
}

TEST(MessageTypes, SuggestNames) {
    MessageTypes types;
    EXPECT_EQ(types.find("std_msgs/msg/Strign").error().message,
              "no message `std_msgs/msg/Strign` is known here; did you mean `std_msgs/msg/String`?");
    EXPECT_FALSE(types.find("String"));
    EXPECT_FALSE(types.find("../etc/passwd"));
}

TEST(MessageTypes, NestedManyTimesAreRefused) {
    const auto chain = [](std::string_view, std::string_view name) -> Result<NamedText> {
        const std::string next = "M" + std::to_string(std::stoi(std::string(name.substr(1))) + 1);
        return NamedText{std::string(name), next + " x"};
    };
    MessageTypes types(chain);
    EXPECT_THAT(types.find("a/M0").error().message, HasSubstr("more than 32 messages are inside each other"));
}

/// The descriptions from which our own types are generated give the same types at run time.
TEST(MessageTypes, AreTheSameWhetherGeneratedOrRead) {
    MessageTypes types([](std::string_view package, std::string_view name) -> Result<NamedText> {
        const std::string path =
            tests::in_repository("src/msg/" + std::string(package) + "/msg/" + std::string(name) + ".msg");
        std::ifstream file(path);
        if (!file) return fail(Code::not_found, path);
        return NamedText{path, {std::istreambuf_iterator<char>(file), {}}};
    });
    for (const MessageSchema& made : known_schemas()) {
        const auto read = types.find(made.type_name);
        ASSERT_TRUE(read) << read.error().message;
        ASSERT_NE(*read, &made);
        EXPECT_EQ((*read)->least_size, made.least_size) << made.type_name;
        EXPECT_EQ(initial_value(**read), initial_value(made)) << made.type_name;
        const MessageValue value = CountedMessage(made).value();
        EXPECT_EQ(encode_value(**read, value), encode_value(made, value)) << made.type_name;
    }
}

}  // namespace
}  // namespace caribou::msg
