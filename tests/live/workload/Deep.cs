// SPDX-License-Identifier: GPL-2.0-only
// CPU work below as many calls as one wants: deeper than the call chains that the kernel hands out.
using System.Runtime.CompilerServices;

namespace Workload;

internal static class Deep
{
    /// <summary>So much CPU time of this thread, below `depth` calls of one method.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static long Run(int depth, long cpuMs) => Down(depth, Native.ClockNs(Native.ClockThreadCpu) + cpuMs * 1_000_000) + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Down(int left, long until) => left > 0 ? Down(left - 1, until) + 1 : Bottom(until);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Bottom(long until)
    {
        ulong state = 88172645463325252;
        while (Native.ClockNs(Native.ClockThreadCpu) < until)
            for (int i = 0; i < 1000; i++)
            {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
            }
        return (long)(state & 1);
    }
}
