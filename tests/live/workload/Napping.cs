// SPDX-License-Identifier: GPL-2.0-only
// A thread that waits part of the time, and knows how long.
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Workload;

internal static class Napping
{
    /// <summary>Sleeps and computes in turn for so many ms on a thread of its own, each for so many ms at a time; 0 = in no step with anything. Returns for how many
    /// ns of that it was blocked, by the kernel's clocks: who has been woken and waits for a CPU is not.</summary>
    public static long Run(int ms, int sleepMs, int computeMs)
    {
        long waited = 0;
        var thread = new Thread(() => waited = Nap(ms, sleepMs, computeMs)) { Name = "napper" };
        thread.Start();
        thread.Join();
        return waited;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Nap(int ms, int sleepMs, int computeMs)
    {
        var random = new Random(1);
        using var awake = new Handing.Awake();
        long begin = Stopwatch.GetTimestamp(), waited = 0;
        while (Stopwatch.GetElapsedTime(begin).TotalMilliseconds < ms)
        {
            long from = Stopwatch.GetTimestamp(), awakeBefore = awake.Ns;
            Thread.Sleep(sleepMs > 0 ? sleepMs : random.Next(5, 25));
            waited += Stopwatch.GetElapsedTime(from).Ticks * 100 - (awake.Ns - awakeBefore);
            from = Stopwatch.GetTimestamp();
            for (double until = computeMs > 0 ? computeMs : random.Next(2, 12); Stopwatch.GetElapsedTime(from).TotalMilliseconds < until;)
                Thread.SpinWait(10);
        }
        return waited;
    }
}
