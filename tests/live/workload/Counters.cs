// SPDX-License-Identifier: GPL-2.0-only
// What the runtime says about itself: the ground truth of the live tests.
//
// Nothing here allocates (except a few hundred bytes inside GC.GetGCMemoryInfo) and nothing is compiled a second
// time: Program warms it up until the runtime has stopped improving what it calls.
using System;
using System.Diagnostics;
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Workload;

internal static class Counters
{
    private const MethodImplOptions Fixed = MethodImplOptions.AggressiveOptimization;

    /// <summary>Exceptions thrown on purpose (throw N); the runtime's own count stands beside it.</summary>
    public static long ExceptionsThrown;

    // The count behind the "exception-count" counter of System.Runtime. It is not public, but costs nothing, whereas an
    // AppDomain.FirstChanceException handler would allocate at each throw.
    [UnsafeAccessor(UnsafeAccessorKind.StaticMethod, Name = "GetExceptionCount")]
    private static extern uint RuntimeExceptionCount(Exception? type);

    [MethodImpl(Fixed)]
    public static void Write(Json json)
    {
        // Stopwatch ticks are ns of CLOCK_MONOTONIC on Linux.
        json.Number("mono_ns"u8, Stopwatch.GetTimestamp());
        // Number of collections of this generation OR an older one, as GC.CollectionCount counts.
        json.Number("gc0_count"u8, GC.CollectionCount(0));
        json.Number("gc1_count"u8, GC.CollectionCount(1));
        json.Number("gc2_count"u8, GC.CollectionCount(2));
        json.Number("gc_pause_ns"u8, GC.GetTotalPauseDuration().Ticks * 100);
        GCMemoryInfo last = GC.GetGCMemoryInfo(GCKind.Any);
        json.Number("gc_heap_bytes"u8, last.HeapSizeBytes);
        json.Number("gc_committed_bytes"u8, last.TotalCommittedBytes);
        json.Number("alloc_bytes"u8, GC.GetTotalAllocatedBytes(precise: true));
        json.Number("jit_method_count"u8, JitInfo.GetCompiledMethodCount(currentThread: false));
        json.Number("jit_il_bytes"u8, JitInfo.GetCompiledILBytes(currentThread: false));
        json.Number("jit_time_ns"u8, JitInfo.GetCompilationTime(currentThread: false).Ticks * 100);
        json.Number("pool_thread_count"u8, ThreadPool.ThreadCount);
        json.Number("pool_pending_count"u8, ThreadPool.PendingWorkItemCount);
        json.Number("pool_completed_count"u8, ThreadPool.CompletedWorkItemCount);
        json.Number("exception_count"u8, RuntimeExceptionCount(null));
        json.Number("exception_thrown_count"u8, ExceptionsThrown);
        json.Number("contention_count"u8, Monitor.LockContentionCount);
        json.Number("process_cpu_ns"u8, Native.ClockNs(Native.ClockProcessCpu));
        json.BeginArray("threads"u8);
        foreach (int tid in Tasks.List())
        {
            json.BeginObject();
            json.Number("tid"u8, tid);
            json.Text("name"u8, Tasks.Comm(tid));
            json.Number("cpu_ns"u8, Native.ThreadCpuNs(tid));
            json.EndObject();
        }
        json.EndArray();
    }

    /// <summary>A number that stays the same while the runtime neither compiles nor collects.</summary>
    [MethodImpl(Fixed)]
    public static long Activity() => JitInfo.GetCompiledMethodCount(currentThread: false) + GC.CollectionCount(0)
        + GC.GetTotalPauseDuration().Ticks;
}
