// SPDX-License-Identifier: GPL-2.0-only
// The objects in a core dump by type, as Microsoft.Diagnostics.Runtime (ClrMD) reads them: a line each, "COUNT BYTES TYPE".
using System;
using System.Collections.Generic;
using Microsoft.Diagnostics.Runtime;

using DataTarget target = DataTarget.LoadDump(args[0]);
using ClrRuntime runtime = target.ClrVersions[0].CreateRuntime();
var types = new Dictionary<string, (long Count, long Bytes)>();
foreach (ClrObject item in runtime.Heap.EnumerateObjects())
{
    if (item.Type is not { IsFree: false, Name: string name })
        continue;
    (long count, long bytes) = types.GetValueOrDefault(name);
    types[name] = (count + 1, bytes + (long)item.Size);
}
foreach ((string name, (long count, long bytes)) in types)
    Console.Out.WriteLine($"{count} {bytes} {name}");
