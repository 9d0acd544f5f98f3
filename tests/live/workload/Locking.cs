// SPDX-License-Identifier: GPL-2.0-only
// Contended locks, each of which really is contended.
using System.Threading;

namespace Workload;

internal static class Locking
{
    private static readonly object s_lock = new();
    private static readonly AutoResetEvent s_go = new(false);
    private static readonly AutoResetEvent s_done = new(false);

    /// <summary>
    /// N times: this thread holds the lock, the second one runs into it, and the lock is let go only when the runtime
    /// has counted the contention. So it is exactly N, however the two are scheduled.
    /// </summary>
    public static long Contend(int count)
    {
        long start = Monitor.LockContentionCount;
        var second = new Thread(Second) { Name = "contender", IsBackground = true };
        second.Start(count);
        for (int i = 0; i < count; i++)
        {
            Monitor.Enter(s_lock);
            long before = Monitor.LockContentionCount;
            s_go.Set();
            while (Monitor.LockContentionCount == before)
                Native.SleepMicroseconds(20);
            Monitor.Exit(s_lock);
            s_done.WaitOne();
        }
        second.Join();
        return Monitor.LockContentionCount - start;
    }

    private static void Second(object? count)
    {
        for (int i = 0; i < (int)count!; i++)
        {
            s_go.WaitOne();
            Monitor.Enter(s_lock);
            Monitor.Exit(s_lock);
            s_done.Set();
        }
    }
}
