// SPDX-License-Identifier: GPL-2.0-only
// Contended locks, each of which really is contended.
using System;
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

    /// <summary>
    /// For some time, N threads take turns with one lock and do all their work while they have it. Each rests a little without it, or it
    /// would be the same one again and again: the lock is not fair.
    /// </summary>
    public static void Convoy(int threads, int forMs)
    {
        const uint HeldUs = 20_000, RestUs = 2_000;
        long until = Environment.TickCount64 + forMs;
        RunAndJoin(threads, "convoy-", () =>
        {
            while (Environment.TickCount64 < until)
            {
                lock (s_lock)
                    Native.SleepMicroseconds(HeldUs);
                Native.SleepMicroseconds(RestUs);
            }
        });
    }

    /// <summary>The thread `blocked` waits for a lock all the time for which this thread has it.</summary>
    public static void Block(int forMs)
    {
        const uint StepUs = 20_000;
        var blocked = new Thread(TakeOnce) { Name = "blocked", IsBackground = true };
        Monitor.Enter(s_lock);
        long until = Environment.TickCount64 + forMs;
        blocked.Start();
        while (Environment.TickCount64 < until)
            Native.SleepMicroseconds(StepUs);
        Monitor.Exit(s_lock);
        blocked.Join();
    }

    /// <summary>Two threads take two locks the other way round, and never get the second one. It returns when both have their first.</summary>
    public static void Deadlock()
    {
        var both = new CountdownEvent(2);
        object orders = new(), stock = new();
        void Begin(string name, object first, object second) => new Thread(() =>
        {
            lock (first)
            {
                both.Signal();
                both.Wait();
                lock (second)
                    throw new InvalidOperationException("no deadlock");
            }
        }) { Name = name, IsBackground = true }.Start();
        Begin("orders", orders, stock);
        Begin("stock", stock, orders);
        both.Wait();
    }

#if NET9_0_OR_GREATER
    private static readonly Lock s_newLock = new();

    /// <summary>As Contend, with a System.Threading.Lock, which is managed code, and whose waits managed code tells of.</summary>
    public static long ContendNew(int count)
    {
        long start = Monitor.LockContentionCount;
        var second = new Thread(SecondNew) { Name = "contender", IsBackground = true };
        second.Start(count);
        for (int i = 0; i < count; i++)
        {
            s_newLock.Enter();
            long before = Monitor.LockContentionCount;
            s_go.Set();
            while (Monitor.LockContentionCount == before)
                Native.SleepMicroseconds(20);
            s_newLock.Exit();
            s_done.WaitOne();
        }
        second.Join();
        return Monitor.LockContentionCount - start;
    }

    private static void SecondNew(object? count)
    {
        for (int i = 0; i < (int)count!; i++)
        {
            s_go.WaitOne();
            s_newLock.Enter();
            s_newLock.Exit();
            s_done.Set();
        }
    }
#else
    /// <summary>There is no such lock before .NET 9.</summary>
    public static long ContendNew(int count) => 0;
#endif

    private static void TakeOnce()
    {
        Monitor.Enter(s_lock);
        Monitor.Exit(s_lock);
    }

    private static void RunAndJoin(int count, string name, ThreadStart run)
    {
        var all = new Thread[count];
        for (int i = 0; i < count; i++)
        {
            all[i] = new Thread(run) { Name = name + i, IsBackground = true };
            all[i].Start();
        }
        foreach (Thread thread in all)
            thread.Join();
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
