// SPDX-License-Identifier: GPL-2.0-only
// The same as tests/tools/nettrace_dump.c by Microsoft's own reader, TraceEvent: what nettop's decoder is compared with.
//
// usage: traceevent FILE                one line per event: THREAD PROVIDER-GUID ID
//        traceevent --methods FILE      the methods, and
//        traceevent --frames FILE       the places of call stacks in them (Names.cs)
//        traceevent --collections FILE  the collections as its GCStats have them, an object of JSON each (Collections.cs)
//        traceevent --compilations FILE the compilations as its JITStats have them, likewise, and their sums (Compilations.cs)
//        traceevent --samples FILE      the CPU samples by method and thread, an object of JSON (Samples.cs)
//        traceevent --perf FILE         those of a .trace.zip, likewise
//        traceevent --speed HOW N FILE  decode it N times; prints events and the least CPU time, ns, of one time. HOW:
//                                       `stacks`: fields and call stacks, which TraceEvent has in a TraceLog only; `fields`: fields alone, by a property each,
//                                       those that nettop keeps (Fields.cs); `names`: all fields, by PayloadValue(), no stacks
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Etlx;
using NettraceReader;

static long Stacks(string path)
{
    string log = path + ".etlx";
    TraceLog.CreateFromEventPipeDataFile(path, log);
    long events;
    using (var trace = new TraceLog(log))
    using (TraceLogEventSource source = trace.Events.GetSource())
    {
        var fields = new Fields(source.Clr, stacks: true);
        source.Process();
        events = fields.Events;
    }
    File.Delete(log);
    return events;
}

static long ByProperty(string path)
{
    using var source = new EventPipeEventSource(path);
    var fields = new Fields(source.Clr, stacks: false);
    source.Process();
    return fields.Events;
}

static long ByName(string path)
{
    long events = 0;
    using var source = new EventPipeEventSource(path);
    source.Clr.All += data =>
    {
        events++;
        for (int field = 0; field < data.PayloadNames.Length; field++)
            data.PayloadValue(field);
    };
    source.Process();
    return events;
}

static int Speed(Func<string, long> decode, int rounds, string path)
{
    long events = 0, least = long.MaxValue;
    for (; rounds > 0; rounds--)
    {
        TimeSpan start = Process.GetCurrentProcess().TotalProcessorTime;
        events = decode(path);
        least = Math.Min(least, (long)(Process.GetCurrentProcess().TotalProcessorTime - start).TotalNanoseconds);
    }
    Console.WriteLine($"{events} events {least} ns");
    return 0;
}

var ways = new Dictionary<string, Func<string, long>> { ["stacks"] = Stacks, ["fields"] = ByProperty, ["names"] = ByName };
if (args.Length == 4 && args[0] == "--speed")
    return Speed(ways[args[1]], int.Parse(args[2]), args[3]);
using var output = new StreamWriter(Console.OpenStandardOutput());
if (args.Length == 2)
    return args[0] switch
    {
        "--methods" => Names.WriteMethods(args[1], output),
        "--collections" => Collections.Write(args[1], output),
        "--samples" => Samples.Write(args[1], output),
        "--perf" => Samples.WritePerf(args[1], output),
        "--compilations" => Compilations.Write(args[1], output),
        _ => Names.WriteFrames(args[1], output),
    };
using var all = new EventPipeEventSource(args[0]);
all.AllEvents += data => output.WriteLine($"{data.ThreadID} {data.ProviderGuid} {(int)data.ID}");
all.Process();
return 0;
