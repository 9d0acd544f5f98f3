// SPDX-License-Identifier: GPL-2.0-only
// Waiting until the process is really idle. Work has echoes: tiered compilation goes on 100 ms and more afterwards, a
// background collection ends when it likes.
using System.Runtime.CompilerServices;

namespace Workload;

internal static class Settle
{
    private const MethodImplOptions Fixed = MethodImplOptions.AggressiveOptimization;
    public const long QuietNs = 500_000_000;
    private const uint StepMicroseconds = 20_000;

    /// <summary>
    /// Waits until, for quietNs, nothing was compiled or collected and no other thread ran or wanted to run (a thread
    /// waiting for a CPU on a loaded machine counts as running). False when that did not happen before the deadline.
    /// </summary>
    [MethodImpl(Fixed)]
    public static bool Wait(long quietNs, long deadlineNs)
    {
        long start = Now();
        long quietSince = start;
        long activity = Counters.Activity();
        for (;;)
        {
            Native.SleepMicroseconds(StepMicroseconds);
            long now = Now();
            long activityNow = Counters.Activity();
            if (activityNow != activity || OtherThreadRuns())
            {
                activity = activityNow;
                quietSince = now;
            }
            else if (now - quietSince >= quietNs)
                return true;
            if (now - start >= deadlineNs)
                return false;
        }
    }

    [MethodImpl(Fixed)]
    private static bool OtherThreadRuns()
    {
        int self = Native.GetTid();
        foreach (int tid in Tasks.List())
            if (tid != self && Tasks.State(tid) == 'R')
                return true;
        return false;
    }

    [MethodImpl(Fixed)]
    private static long Now() => System.Diagnostics.Stopwatch.GetTimestamp();
}
