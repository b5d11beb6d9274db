"""Writes IDL under the names that ROS 2 uses on the wire: `pkg::msg::dds_::Name_`."""

NAMES = {"bool": "boolean", "byte": "octet", "char": "octet", "int8": "int8", "uint8": "octet", "int16": "short",
         "uint16": "unsigned short", "int32": "long", "uint32": "unsigned long", "int64": "long long",
         "uint64": "unsigned long long", "float32": "float", "float64": "double"}


def idl_type(type_):
    if type_.is_message:
        package, name = type_.base.split("/")
        one = f"{package}::msg::dds_::{name}_"
    elif type_.base == "string":
        one = f"string<{type_.text_bound}>" if type_.text_bound else "string"
    else:
        one = NAMES[type_.base]
    if type_.array == "bounded":
        return f"sequence<{one}, {type_.size}>"
    return f"sequence<{one}>" if type_.array == "unbounded" else one


def source(message):
    used = sorted({f.type.base for f in message.fields if f.type.is_message})
    guard = f"{message.package}_{message.name}_idl".upper()
    lines = [f"// Made by tools/msg_to_cpp.py of {message.type_name}.", f"#ifndef {guard}", f"#define {guard}"]
    lines += [f'#include "{base.split("/")[0]}/{base.split("/")[1]}.idl"' for base in used]
    lines += [f"module {message.package} {{ module msg {{ module dds_ {{", f"  @final struct {message.name}_ {{"]
    for part in message.fields:
        array = f"[{part.type.size}]" if part.type.array == "fixed" else ""
        lines.append(f"    {idl_type(part.type)} {part.name}{array};")
    if not message.fields:
        lines.append("    octet structure_needs_at_least_one_member;")
    lines += ["  };", "}; }; };", "#endif", ""]
    return "\n".join(lines)
