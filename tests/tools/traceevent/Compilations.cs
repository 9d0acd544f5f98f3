// SPDX-License-Identifier: GPL-2.0-only
// The compilations of a trace as TraceEvent's JITStats (PerfView's table of that name) have them.
using System.Collections.Generic;
using System.IO;
using System.Text.Json;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Analysis;
using Microsoft.Diagnostics.Tracing.Analysis.JIT;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

namespace NettraceReader;

internal static class Compilations
{
    /// <summary>
    /// One object of JSON for each compilation in the order of their starts, then one of the sums. Times in ms, sizes in bytes. The name is there a second time as the runtime says it:
    /// JITStats make one text of its three.
    /// </summary>
    public static int Write(string path, TextWriter output)
    {
        using var source = new EventPipeEventSource(path);
        source.NeedLoadedDotNetRuntimes();
        TraceLoadedDotNetRuntime? runtime = null;
        var said = new Dictionary<(int, double), MethodJittingStartedTraceData>();
        source.Clr.MethodJittingStarted += e =>
        {
            runtime = e.Process().LoadedDotNetRuntime();
            said[(e.ThreadID, e.TimeStampRelativeMSec)] = (MethodJittingStartedTraceData)e.Clone();
        };
        source.Process();
        if (runtime is null)
            return 0;
        foreach (TraceJittedMethod method in runtime.JIT.Methods)
            output.WriteLine(JsonSerializer.Serialize(Row(method, said.GetValueOrDefault((method.ThreadID, method.StartTimeMSec)))));
        output.WriteLine(JsonSerializer.Serialize(Sums(runtime.JIT.Stats())));
        return 0;
    }

    private static object Row(TraceJittedMethod method, MethodJittingStartedTraceData? said) => new
    {
        name = method.MethodName,
        type = said?.MethodNamespace,
        method = said?.MethodName,
        signature = said?.MethodSignature,
        start_ms = method.StartTimeMSec,
        time_ms = method.CompileCpuTimeMSec, // by the clock, in spite of its name
        il_bytes = method.ILSize,
        native_bytes = method.NativeSize,
        module = method.ModuleILPath,
        tier = method.OptimizationTier.ToString(),
        thread = method.ThreadID,
        trigger = method.CompilationThreadKind.ToString(),
    };

    private static object Sums(JITStats stats) => new
    {
        count = stats.Count,
        foreground_count = stats.CountForeground,
        background_count = stats.CountBackgroundTieredCompilation,
        multicore_count = stats.CountBackgroundMultiCoreJit,
        time_ms = stats.TotalCpuTimeMSec,
        foreground_ms = stats.TotalForegroundCpuTimeMSec,
        background_ms = stats.TotalBackgroundTieredCompilationCpuTimeMSec,
        il_bytes = stats.TotalILSize,
        native_bytes = stats.TotalNativeSize,
    };
}
