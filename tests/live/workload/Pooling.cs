// SPDX-License-Identifier: GPL-2.0-only
// Work for the thread pool.
using System;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;

namespace Workload;

internal static class Pooling
{
    private static readonly AutoResetEvent s_allDone = new(false);
    private static readonly ManualResetEvent s_released = new(false);
    private static readonly CountdownEvent s_held = new(1);
    private static int s_left, s_coming, s_minBefore, s_minPortsBefore, s_maxBefore, s_maxPortsBefore;

    /// <summary>Queues N small items and waits until all have run.</summary>
    public static void Items(int count) => QueueAndWait(count, static _ => Compute.Spin(1, 500, 0));

    /// <summary>Queues N items that block a pool thread for a time each: the pool has to inject threads.</summary>
    public static void Starve(int count, int blockMs) => QueueAndWait(count, _ => Thread.Sleep(blockMs));

    /// <summary>N asynchronous methods that give up their thread twice.</summary>
    public static void Async(int count)
    {
        var all = new Task[count];
        for (int i = 0; i < count; i++)
            all[i] = Yielding();
        Task.WaitAll(all);
    }

    /// <summary>
    /// Gives the pool exactly so many workers, all of which block until Release(); the last one has local items in its own list, and global ones wait for all.
    /// From then on nothing changes. Says what the pool says of itself.
    /// </summary>
    public static void Hold(int workers, int global, int local, Json json)
    {
        ThreadPool.GetMinThreads(out s_minBefore, out s_minPortsBefore);
        ThreadPool.GetMaxThreads(out s_maxBefore, out s_maxPortsBefore);
        ThreadPool.SetMinThreads(workers, s_minPortsBefore);
        ThreadPool.SetMaxThreads(workers, s_maxPortsBefore);
        s_released.Reset();
        s_held.Reset(1);
        s_coming = workers;
        s_left = workers + global + local;
        for (int i = 0; i < workers; i++)
            ThreadPool.UnsafeQueueUserWorkItem(Block, local, preferLocal: false);
        s_held.Wait();
        for (int i = 0; i < global; i++)
            ThreadPool.UnsafeQueueUserWorkItem(Count, 0, preferLocal: false);
        Say(json);
    }

    /// <summary>Ends it, and waits until all is done.</summary>
    public static void Release()
    {
        s_released.Set();
        s_allDone.WaitOne();
        ThreadPool.SetMaxThreads(s_maxBefore, s_maxPortsBefore);
        ThreadPool.SetMinThreads(s_minBefore, s_minPortsBefore);
    }

    private static void Block(int local)
    {
        if (Interlocked.Decrement(ref s_coming) == 0)
        {
            for (int i = 0; i < local; i++)
                ThreadPool.UnsafeQueueUserWorkItem(Count, 0, preferLocal: true);
            s_held.Signal();
        }
        s_released.WaitOne();
        Count(0);
    }

    private static void Count(int _)
    {
        if (Interlocked.Decrement(ref s_left) == 0)
            s_allDone.Set();
    }

    /// <summary>What is public, and what is in the pool's one word: workers that have work, that there are, that it aims at.</summary>
    private static void Say(Json json)
    {
        const BindingFlags Any = BindingFlags.Static | BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        ThreadPool.GetMinThreads(out int min, out _);
        ThreadPool.GetMaxThreads(out int max, out _);
        json.Number("pool_thread_count"u8, ThreadPool.ThreadCount);
        json.Number("pool_pending_count"u8, ThreadPool.PendingWorkItemCount);
        json.Number("pool_min_count"u8, min);
        json.Number("pool_max_count"u8, max);
        Type type = typeof(ThreadPool).Assembly.GetType("System.Threading.PortableThreadPool", throwOnError: true)!;
        object pool = type.GetField("ThreadPoolInstance", Any)!.GetValue(null)!;
        object padded = type.GetField("_separated", Any)!.GetValue(pool)!;
        object counts = padded.GetType().GetField("counts", Any)!.GetValue(padded)!;
        ulong word = (ulong)counts.GetType().GetField("_data", Any)!.GetValue(counts)!;
        json.Number("pool_working_count"u8, (long)(word & 0xFFFF));
        json.Number("pool_existing_count"u8, (long)(word >> 16 & 0xFFFF));
        json.Number("pool_goal_count"u8, (long)(word >> 32 & 0xFFFF));
    }

    private static async Task Yielding()
    {
        await Task.Yield();
        Compute.Spin(1, 500, 0);
        await Task.Yield();
    }

    private static void QueueAndWait(int count, WaitCallback item)
    {
        if (count <= 0)
            return;
        s_left = count;
        for (int i = 0; i < count; i++)
            ThreadPool.UnsafeQueueUserWorkItem(state =>
            {
                item(state);
                if (Interlocked.Decrement(ref s_left) == 0)
                    s_allDone.Set();
            }, null);
        s_allDone.WaitOne();
    }
}
