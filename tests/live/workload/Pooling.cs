// SPDX-License-Identifier: GPL-2.0-only
// Work for the thread pool.
using System.Threading;
using System.Threading.Tasks;

namespace Workload;

internal static class Pooling
{
    private static readonly AutoResetEvent s_allDone = new(false);
    private static int s_left;

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
