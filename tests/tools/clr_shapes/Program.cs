// SPDX-License-Identifier: GPL-2.0-only
// The events of the runtime's own provider, as the base library has them (NativeRuntimeEventSource): src/decode/eventpipe/clr_shapes.def.
using System;
using System.Collections.Generic;
using System.Diagnostics.Tracing;
using System.Linq;
using System.Reflection;
using System.Text.RegularExpressions;

var types = new Dictionary<Type, string>
{
    [typeof(bool)] = "BOOL", [typeof(byte)] = "U8", [typeof(sbyte)] = "I8", [typeof(ushort)] = "U16", [typeof(short)] = "I16", [typeof(uint)] = "U32", [typeof(int)] = "I32",
    [typeof(ulong)] = "U64", [typeof(long)] = "I64", [typeof(IntPtr)] = "U64", [typeof(UIntPtr)] = "U64", [typeof(float)] = "F32", [typeof(double)] = "F64",
    [typeof(string)] = "TEXT", [typeof(Guid)] = "GUID",
};
Type source = typeof(object).Assembly.GetType("System.Diagnostics.Tracing.NativeRuntimeEventSource", true)!;
const BindingFlags Own = BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.DeclaredOnly;
var events = source.GetMethods(Own).Select(method => (method, what: method.GetCustomAttribute<EventAttribute>())).Where(found => found.what != null)
    .GroupBy(found => found.what!.EventId).Select(same => same.MaxBy(found => found.what!.Version)).OrderBy(found => found.what!.EventId);

Console.Out.Write($"/* SPDX-License-Identifier: GPL-2.0-only */\n/* Made by `make clr-shapes` of .NET {Environment.Version.Major}: clr_shapes.h. */\n");
foreach ((MethodInfo method, EventAttribute? what) in events)
{
    string name = Regex.Replace(method.Name, @"_V\d+$", ""), fields = "";
    foreach (ParameterInfo field in method.GetParameters())
    {
        if (!types.TryGetValue(field.ParameterType, out string? type))
            break; // what is behind an array has no place of its own
        fields += $", FIELD({type}, {field.Name})";
    }
    Console.Out.Write($"SHAPE({what!.EventId}, {what.Version}, {(int)what.Level}, 0x{(ulong)what.Keywords:x}, {name}{fields})\n");
}
