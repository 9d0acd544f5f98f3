// SPDX-License-Identifier: GPL-2.0-only
// CPU work in code that the compiler gives names of its own: lambdas, a local function, async code, an iterator.
using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Workload;

internal static class Written
{
    private const int TurnsPerLook = 900;

    /// <summary>So many ns of this thread's CPU in each of them, in their own bodies.</summary>
    public static ulong Run(long ns)
    {
        Func<ulong, ulong> capturing = x =>
        {
            for (long until = Cpu() + ns; Cpu() < until;)
                for (int turn = 0; turn < TurnsPerLook; turn++)
                    x = (x ^ x << 13) * 0x9E3779B97F4A7C15;
            return x;
        };
        Func<long, ulong> free = static ns =>
        {
            ulong x = 2;
            for (long until = Cpu() + ns; Cpu() < until;)
                for (int turn = 0; turn < TurnsPerLook; turn++)
                    x = (x ^ x >> 7) * 0x9E3779B97F4A7C15;
            return x;
        };
        Func<long, Task<ulong>> later = static async ns =>
        {
            ulong x = 3;
            await Task.CompletedTask;
            for (long until = Cpu() + ns; Cpu() < until;)
                for (int turn = 0; turn < TurnsPerLook; turn++)
                    x = (x ^ x << 17) * 0x9E3779B97F4A7C15;
            return x;
        };
        ulong sum = capturing(1) + free(ns) + Local(ns) + later(ns).Result + SpinAsync(ns).Result;
        foreach (ulong x in Spun(ns))
            sum += x;
        return sum;

        static ulong Local(long ns)
        {
            ulong x = 4;
            for (long until = Cpu() + ns; Cpu() < until;)
                for (int turn = 0; turn < TurnsPerLook; turn++)
                    x = (x ^ x << 5) * 0x9E3779B97F4A7C15;
            return x;
        }
    }

    private static async Task<ulong> SpinAsync(long ns)
    {
        ulong x = 5;
        await Task.CompletedTask;
        for (long until = Cpu() + ns; Cpu() < until;)
            for (int turn = 0; turn < TurnsPerLook; turn++)
                x = (x ^ x >> 11) * 0x9E3779B97F4A7C15;
        return x;
    }

    private static IEnumerable<ulong> Spun(long ns)
    {
        ulong x = 6;
        for (long until = Cpu() + ns; Cpu() < until;)
            for (int turn = 0; turn < TurnsPerLook; turn++)
                x = (x ^ x << 3) * 0x9E3779B97F4A7C15;
        yield return x;
    }

    private static long Cpu() => Native.ClockNs(Native.ClockThreadCpu);
}
