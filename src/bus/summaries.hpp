#pragma once

#include <span>
#include <string>

#include "bus/connection.hpp"
#include "bus/variable.hpp"

/// The texts of the DB_ variables and of the answers to server requests. Existing tools parse them;
/// docs/formats/moos-wire.md describes their formats.
namespace caribou::bus {

using Variables = std::span<const Variable* const>;
using Connections = std::span<const Connection* const>;

/// Returns `A,B,C`.
std::string variable_names(Variables variables);
/// Returns DB_VARSUMMARY: a table with one line per variable.
std::string variable_table(Variables variables);
/// Returns DB_CLIENTS: `b,a,`
std::string client_names(Connections clients);
/// Returns DB_QOS: `name=recent:max:min:average,` in milliseconds.
std::string latencies(Connections clients);
/// Returns DB_RWSUMMARY: `name=read1:read2&written1:written2,`
std::string reads_and_writes(Connections clients);
/// Returns PROC_SUMMARY: `name:SUBSCRIBED=,A,B,PUBLISHED=,C,D`
std::string process_summary(const Member& client);
/// Returns CLIENT_SUMMARY, an extension of this broker: the state of one client as one line of JSON.
std::string client_summary(const Connection& client);

}  // namespace caribou::bus
