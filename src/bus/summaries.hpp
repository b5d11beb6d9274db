#pragma once

#include <span>
#include <string>

#include "bus/connection.hpp"
#include "bus/variable.hpp"

/// The texts of the DB_ variables and of the answers to server requests. Tools parse them: their
/// formats are on docs/formats/moos-wire.md.
namespace caribou::bus {

using Variables = std::span<const Variable* const>;
using Connections = std::span<const Connection* const>;

/// `A,B,C`
std::string variable_names(Variables variables);
/// DB_VARSUMMARY: a table, one line a variable.
std::string variable_table(Variables variables);
/// DB_CLIENTS: `b,a,`
std::string client_names(Connections clients);
/// DB_QOS: `name=recent:max:min:average,` in milliseconds.
std::string latencies(Connections clients);
/// DB_RWSUMMARY: `name=read1:read2&written1:written2,`
std::string reads_and_writes(Connections clients);
/// PROC_SUMMARY: `name:SUBSCRIBED=,A,B,PUBLISHED=,C,D`
std::string process_summary(const Member& client);
/// CLIENT_SUMMARY, ours: one line of JSON with what an operator wants to know of a client.
std::string client_summary(const Connection& client);

}  // namespace caribou::bus
