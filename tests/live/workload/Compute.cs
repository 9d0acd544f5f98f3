// SPDX-License-Identifier: GPL-2.0-only
// CPU work on one thread in one hot method.
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Workload;

internal static class Compute
{
    // Below 1000 turns per call the loop never asks for on-stack replacement, whatever the number of calls.
    private const int ShortCall = 900;
    private const int CallsPerLook = 200;

    private static readonly AutoResetEvent s_go = new(false);
    private static readonly AutoResetEvent s_done = new(false);
    private static long s_tier0Ns, s_osrNs, s_cpuNs;
    private static long s_usedNs;
    private static ulong s_state = 88172645463325252;

    public static int Tid { get; private set; }

    /// <summary>The CPU the last Run used on its thread.</summary>
    public static long UsedNs => s_usedNs;

    public static void Start()
    {
        new Thread(Loop) { Name = "compute", IsBackground = true }.Start();
        s_done.WaitOne();
    }

    /// <summary>
    /// Wall time of short calls that stay in the tier Spin is in (tier-0 at first, as long as the runtime's
    /// call-counting delay lasts), then one long call for a wall time (compiled anew on the stack: OSR, when it began in
    /// tier-0), then short calls until the thread has used so much more CPU (tier-1 after 30 of them).
    /// </summary>
    public static void Run(long tier0Ms, long osrMs, long cpuMs)
    {
        s_tier0Ns = tier0Ms * 1_000_000;
        s_osrNs = osrMs * 1_000_000;
        s_cpuNs = cpuMs * 1_000_000;
        s_go.Set();
        s_done.WaitOne();
    }

    /// <summary>The hot method: nothing but arithmetic; `more` lets one call last until its time is over.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ulong Spin(ulong x, int turns, long untilNs)
    {
        do
        {
            for (int turn = 0; turn < turns; turn++)
            {
                x ^= x << 13;
                x ^= x >> 7;
                x ^= x << 17;
                x *= 0x9E3779B97F4A7C15; // a hot line: test_source_lines.py
                x ^= x >> 32;
                x += (ulong)turn;
            }
        } while (untilNs != 0 && Stopwatch.GetTimestamp() < untilNs);
        return x;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void Loop()
    {
        Tid = Native.GetTid();
        s_done.Set();
        for (;;)
        {
            s_go.WaitOne();
            long cpu = Native.ClockNs(Native.ClockThreadCpu);
            long start = Stopwatch.GetTimestamp();
            while (Stopwatch.GetTimestamp() - start < s_tier0Ns)
                ShortCalls();
            if (s_osrNs > 0)
                s_state = Spin(s_state, 100_000, Stopwatch.GetTimestamp() + s_osrNs);
            long cpuBefore = Native.ClockNs(Native.ClockThreadCpu);
            while (Native.ClockNs(Native.ClockThreadCpu) - cpuBefore < s_cpuNs)
                ShortCalls();
            s_usedNs = Native.ClockNs(Native.ClockThreadCpu) - cpu;
            s_done.Set();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void ShortCalls()
    {
        for (int call = 0; call < CallsPerLook; call++)
            s_state = Spin(s_state, ShortCall, 0);
    }
}
