// SPDX-License-Identifier: GPL-2.0-only
// The CPU samples of a file with their call stacks, as TraceEvent has them: what PerfView and dotnet-trace begin with.
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using Microsoft.Diagnostics.Tracing.Etlx;
using Microsoft.Diagnostics.Tracing.EventPipe;
using Microsoft.Diagnostics.Tracing.Stacks;
using Microsoft.Diagnostics.Tracing.StackSources;

namespace NettraceReader;

internal sealed class Samples
{
    /// <summary>One object of JSON: how many samples there are of each thread and of each method (those that ended in it, those that it is in), which is called MODULE!NAME; what the trace says of its process; lost events.</summary>
    public static int Write(string path, TextWriter output)
    {
        string file = TraceLog.CreateFromEventPipeDataFile(path, path + ".etlx");
        using (var log = new TraceLog(file))
        using (TraceLogEventSource source = log.Events.GetSource())
        {
            var samples = new Samples();
            TraceProcess? process = null;
            new SampleProfilerTraceEventParser(source).ThreadSample += e =>
            {
                process = e.Process();
                samples.Add(e.ThreadID, e.Type == ClrThreadSampleType.Managed, e.CallStack());
            };
            source.Process();
            output.WriteLine(JsonSerializer.Serialize(new
            {
                pid = process?.ProcessID,
                process = process?.Name,
                command = process?.CommandLine,
                begins = log.SessionStartTime.ToUniversalTime(),
                lost = log.EventsLost,
                outside = samples._outside,
                threads = samples._threads,
                self = samples._self,
                total = samples._total,
            }));
        }
        File.Delete(file);
        return 0;
    }

    /// <summary>Of a `.trace.zip`, by its reader of perfcollect's, `self` alone.</summary>
    public static int WritePerf(string path, TextWriter output)
    {
        var samples = new Samples();
        var source = new ParallelLinuxPerfScriptStackSource(path);
        source.ForEach(sample =>
        {
            var names = new List<string>();
            for (StackSourceCallStackIndex at = sample.StackIndex; at != StackSourceCallStackIndex.Invalid; at = source.GetCallerIndex(at))
                names.Add(source.GetFrameName(source.GetFrameIndex(at), false));
            samples.Add(names);
        });
        output.WriteLine(JsonSerializer.Serialize(new { self = samples._self }));
        return 0;
    }

    private long _outside;
    private readonly Dictionary<int, long> _threads = new();
    private readonly Dictionary<string, long> _self = new(), _total = new();

    private void Add(int thread, bool runs, TraceCallStack? stack)
    {
        if (!runs)
        {
            _outside++;
            return;
        }
        Count(_threads, thread);
        var names = new List<string>();
        for (TraceCallStack? at = stack; at is not null; at = at.Caller)
            names.Add($"{at.CodeAddress.ModuleName}!{at.CodeAddress.FullMethodName}");
        Add(names);
    }

    /// <summary>A stack, leaf first.</summary>
    private void Add(List<string> names)
    {
        if (names.Count > 0)
            Count(_self, names[0]);
        foreach (string name in names.Distinct())
            Count(_total, name);
    }

    private static void Count<T>(Dictionary<T, long> counts, T key) where T : notnull => counts[key] = counts.GetValueOrDefault(key) + 1;
}
