// SPDX-License-Identifier: GPL-2.0-only
// What is in a core dump, as Microsoft.Diagnostics.Runtime (ClrMD) reads it. Objects by type: a line each, "COUNT BYTES TYPE". With "stacks" behind the file: of each managed thread a line
// "thread TID MANAGED_ID", "exception TYPE MESSAGE" if it has one, and of each frame of its stack that is managed code its signature ("?" where ClrMD knows none: of a stub for a P/Invoke) behind a blank, innermost first. With "holders": answers to questions, see Holders.cs; with "references": see References.cs.
using System;
using System.Collections.Generic;
using Microsoft.Diagnostics.Runtime;

using DataTarget target = DataTarget.LoadDump(args[0]);
using ClrRuntime runtime = target.ClrVersions[0].CreateRuntime();
if (args.Length > 1 && args[1] == "stacks")
    TellStacks(runtime);
else if (args.Length > 1 && args[1] == "holders")
    TellHolders(runtime);
else if (args.Length > 1 && args[1] == "references")
    References.Tell(runtime);
else
    TellTypes(runtime);

static void TellStacks(ClrRuntime runtime)
{
    foreach (ClrThread thread in runtime.Threads)
    {
        if (!thread.IsAlive)
            continue;
        Console.Out.WriteLine($"thread {thread.OSThreadId} {thread.ManagedThreadId}");
        if (thread.CurrentException is ClrException thrown)
            Console.Out.WriteLine($"exception {thrown.Type.Name} {thrown.Message}");
        foreach (ClrStackFrame frame in thread.EnumerateStackTrace())
            if (frame.Kind == ClrStackFrameKind.ManagedMethod)
                Console.Out.WriteLine($" {frame.Method?.Signature ?? "?"}");
    }
}

static void TellHolders(ClrRuntime runtime)
{
    var holders = new Holders(runtime);
    while (Console.In.ReadLine() is string question)
        Console.Out.WriteLine(holders.Answer(question));
}

static void TellTypes(ClrRuntime runtime)
{
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
}
