// SPDX-License-Identifier: GPL-2.0-only
// The collections of a trace as TraceEvent's GCStats (PerfView's table of that name) have them.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Analysis;
using Microsoft.Diagnostics.Tracing.Analysis.GC;
using Microsoft.Diagnostics.Tracing.Parsers;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

namespace NettraceReader;

internal sealed class Collections
{
    private const int Generations = 5; // gen0, gen1, gen2, LOH, POH

    /// <summary>One object of JSON for each collection that is in the trace from its start to its end, in the order of their starts. Sizes in bytes; null: not in the trace.</summary>
    public static int Write(string path, TextWriter output)
    {
        using var source = new EventPipeEventSource(path);
        source.NeedLoadedDotNetRuntimes();
        var collections = new Collections(source.Clr);
        source.Process();
        foreach (TraceGC gc in collections._runtime?.GC.GCs.Where(gc => gc.IsComplete) ?? [])
            output.WriteLine(JsonSerializer.Serialize(collections.Row(gc)));
        return 0;
    }

    private readonly Dictionary<TraceGC, double> _restarts = new(); // ms
    private TraceLoadedDotNetRuntime? _runtime;

    /*
     * Where GCStats let a pause end all threads have been let go; the runtime's own count ends where it begins to let them go. What lies between is told apart: of each
     * collection whose pause an end of a restart has changed.
     */
    private Collections(ClrTraceEventParser clr)
    {
        double begun = 0;
        var before = new Dictionary<TraceGC, double>();
        clr.GCRestartEEStart += e => begun = e.TimeStampRelativeMSec;
        clr.GCRestartEEStop += e =>
        {
            _runtime = e.Process().LoadedDotNetRuntime();
            foreach (TraceGC gc in _runtime.GC.GCs.TakeLast(8))
            {
                bool known = before.TryGetValue(gc, out double pause);
                if (gc.PauseDurationMSec != (known ? pause : 0) && gc.PauseDurationMSec != gc.SuspendDurationMSec)
                    _restarts[gc] = _restarts.GetValueOrDefault(gc) + e.TimeStampRelativeMSec - begun;
                before[gc] = gc.PauseDurationMSec;
            }
        };
    }

    private object Row(TraceGC gc) => new
    {
        number = gc.Number,
        generation = gc.Generation,
        type = gc.Type.ToString(),
        reason = gc.Reason.ToString(),
        pause_ms = gc.PauseDurationMSec,
        restart_ms = _restarts.GetValueOrDefault(gc), // of the pause
        suspend_ms = gc.SuspendDurationMSec,
        before_bytes = EachGeneration(gc, data => data.SizeBefore),
        after_bytes = EachGeneration(gc, data => data.SizeAfter),
        free_bytes = EachGeneration(gc, data => data.Fragmentation),
        budget_bytes = EachGeneration(gc, data => data.Budget),
        heap_bytes = gc.HeapStats is not { } s ? null : new[] { s.GenerationSize0, s.GenerationSize1, s.GenerationSize2, s.GenerationSize3, s.GenerationSize4 },
        promoted_bytes = gc.HeapStats is not { } p
            ? null
            : new[] { p.TotalPromotedSize0, p.TotalPromotedSize1, p.TotalPromotedSize2, p.TotalPromotedSize3, p.TotalPromotedSize4 },
        pinned = gc.HeapStats?.PinnedObjectCount,
        handles = gc.HeapStats?.GCHandleCount,
        finalizable = gc.HeapStats?.FinalizationPromotedCount,
        heaps = gc.GlobalHeapHistory?.NumHeaps,
        mechanisms = gc.GlobalHeapHistory?.GlobalMechanisms.ToString(),
        memory_load_pct = gc.GlobalHeapHistory?.MemoryPressure,
        gen0_budget_bytes = gc.GlobalHeapHistory?.FinalYoungestDesired,
        condemned = gc.GlobalCondemnedReasons is { } all ? Groups(all) : null,
        condemned_by_heap = gc.PerHeapCondemnedReasons?.Select(Groups).ToArray(),
        steps_us = gc.GlobalHeapHistory?.Times,
        after_by_heap_bytes = gc.PerHeapHistories.Select(heap => heap.GenData.Sum(data => data.SizeAfter)).ToArray(),
    };

    private static long[]? EachGeneration(TraceGC gc, Func<GCPerHeapHistoryGenData, long> member) =>
        gc.PerHeapHistories.Count == 0
            ? null
            : Enumerable.Range(0, Generations)
                .Select(i => gc.PerHeapHistories.Sum(heap => heap.GenData.Length > i ? member(heap.GenData[i]) : 0))
                .ToArray();

    /// <summary>Each reason by its name, and its value: a generation or a truth.</summary>
    private static Dictionary<string, int> Groups(GCCondemnedReasons reasons) =>
        Enumerable.Range(0, (int)CondemnedReasonGroup.Max)
            .Where(i => reasons.CondemnedReasonGroups[i] != 0)
            .ToDictionary(i => ((CondemnedReasonGroup)i).ToString(), i => (int)reasons.CondemnedReasonGroups[i]);
}
