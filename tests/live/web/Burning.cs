// SPDX-License-Identifier: GPL-2.0-only
// Routes that use so much CPU time as they are asked to, by the thread's own clock: on one thread, or a part of it on whichever thread goes on behind each await; and one that asks for
// collections.
using System;
using System.Collections.Concurrent;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;

namespace Web;

internal static class Burning
{
    private const int Parts = 8;
    private static readonly ConcurrentDictionary<string, long> Used = new();

    public static void Map(WebApplication app)
    {
        app.MapGet("/burn/{ms:int}", (int ms) => Burn("/burn/{ms:int}", ms * 1_000_000L));
        app.MapGet("/collect/{count:int}", (int count) =>
        {
            for (; count > 0; count--)
                GC.Collect();
        });
        app.MapGet("/hop/{ms:int}", async (int ms) =>
        {
            for (int i = 0; i < Parts; i++)
            {
                Burn("/hop/{ms:int}", ms * 1_000_000L / Parts);
                await (i % 2 == 0 ? Task.Delay(3) : Task.Run(Thread.Yield));
            }
        });
    }

    /// <summary>CPU time in ns that each of them has used so far.</summary>
    public static ConcurrentDictionary<string, long> Sums => Used;

    private static void Burn(string route, long ns)
    {
        long begin = ThreadNs(), now;
        ulong sum = 1;
        do
        {
            for (int i = 0; i < 20_000; i++)
                sum = sum * 6364136223846793005 + 1442695040888963407;
            now = ThreadNs();
        } while (now - begin < ns || sum == 0);
        Used.AddOrUpdate(route, now - begin, (_, before) => before + (now - begin));
    }

    private static long ThreadNs()
    {
        const int ThreadCpuTime = 3;
        ClockGetTime(ThreadCpuTime, out TimeSpec time);
        return time.Seconds * 1_000_000_000 + time.Nanoseconds;
    }

    private struct TimeSpec
    {
        public long Seconds, Nanoseconds;
    }

    [DllImport("libc", EntryPoint = "clock_gettime")]
    private static extern int ClockGetTime(int clock, out TimeSpec time);
}
