// SPDX-License-Identifier: GPL-2.0-only
// The same as tests/tools/nettrace_dump.c by Microsoft's own reader, TraceEvent: what nettop's decoder is compared with.
//
// usage: traceevent FILE             one line per event: THREAD PROVIDER-GUID ID
//        traceevent --speed N FILE   decode it N times, all fields of the runtime's events; prints events and the least CPU time, ns, of one time
using System;
using System.Diagnostics;
using System.IO;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers;

static void Decode(byte[] bytes, Action<TraceEvent> see)
{
    using var source = new EventPipeEventSource(new MemoryStream(bytes));
    source.AllEvents += see;
    source.Process();
}

static long DecodeFields(byte[] bytes)
{
    long events = 0;
    using var source = new EventPipeEventSource(new MemoryStream(bytes));
    new ClrTraceEventParser(source).All += data =>
    {
        events++;
        for (int field = 0; field < data.PayloadNames.Length; field++)
            data.PayloadValue(field);
    };
    source.Process();
    return events;
}

if (args.Length == 3 && args[0] == "--speed")
{
    byte[] bytes = File.ReadAllBytes(args[2]);
    long events = 0, least = long.MaxValue;
    for (int round = int.Parse(args[1]); round > 0; round--)
    {
        TimeSpan start = Process.GetCurrentProcess().TotalProcessorTime;
        events = DecodeFields(bytes);
        long took = (long)(Process.GetCurrentProcess().TotalProcessorTime - start).TotalNanoseconds;
        least = Math.Min(least, took);
    }
    Console.WriteLine($"{events} events {least} ns");
    return 0;
}
using var output = new StreamWriter(Console.OpenStandardOutput());
Decode(File.ReadAllBytes(args[0]), data => output.WriteLine($"{data.ThreadID} {data.ProviderGuid} {(int)data.ID}"));
return 0;
