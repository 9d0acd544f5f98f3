// SPDX-License-Identifier: GPL-2.0-only
// Work items that say how long they have waited for a worker.
using System;
using System.Diagnostics;
using System.Threading;

namespace Workload;

internal static class Queueing
{
    private const int MostItems = 1 << 20;
    private static readonly long[] s_waits = GC.AllocateUninitializedArray<long>(MostItems);
    private static readonly CountdownEvent s_left = new(1);
    private static int s_items, s_sleepMs;
    private static long s_end;

    /// <summary>Always the same number of items, of which as many run as there are workers: whoever is done enqueues the next one, behind all others.</summary>
    public static void Run(int workers, int items, int sleepMs, int seconds, Json json)
    {
        ThreadPool.GetMinThreads(out int min, out int minPorts);
        ThreadPool.GetMaxThreads(out int max, out int maxPorts);
        ThreadPool.SetMinThreads(workers, minPorts);
        ThreadPool.SetMaxThreads(workers, maxPorts);
        long completed = ThreadPool.CompletedWorkItemCount;
        s_items = 0;
        s_sleepMs = sleepMs;
        s_end = Stopwatch.GetTimestamp() + seconds * Stopwatch.Frequency;
        s_left.Reset(items);
        for (int i = 0; i < items; i++)
            Enqueue();
        s_left.Wait();
        ThreadPool.SetMaxThreads(max, maxPorts);
        ThreadPool.SetMinThreads(min, minPorts);
        json.Number("completed_count"u8, ThreadPool.CompletedWorkItemCount - completed);
        Say(json);
    }

    private static void Enqueue() => ThreadPool.UnsafeQueueUserWorkItem(Work, Stopwatch.GetTimestamp(), preferLocal: false);

    private static void Work(long enqueued)
    {
        long now = Stopwatch.GetTimestamp();
        int item = Interlocked.Increment(ref s_items) - 1;
        if (item < MostItems)
            s_waits[item] = now - enqueued;
        Thread.Sleep(s_sleepMs);
        if (now < s_end)
            Enqueue();
        else
            s_left.Signal();
    }

    private static void Say(Json json)
    {
        Span<long> waits = s_waits.AsSpan(0, Math.Min(s_items, MostItems));
        waits.Sort();
        double sum = 0;
        foreach (long wait in waits)
            sum += wait;
        double nsPerTick = 1e9 / Stopwatch.Frequency;
        json.Number("items"u8, s_items);
        json.Number("wait_mean_ns"u8, (long)(sum / waits.Length * nsPerTick));
        json.Number("wait_p50_ns"u8, (long)(waits[waits.Length / 2] * nsPerTick));
        json.Number("wait_p99_ns"u8, (long)(waits[(int)(waits.Length * 0.99)] * nsPerTick));
    }
}
