// SPDX-License-Identifier: GPL-2.0-only
// One thread collects, and computes between its collections; another one computes all the time, and stands while the first one collects. Each says how much CPU time it took.
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Pausing;

static class Cpu
{
    [StructLayout(LayoutKind.Sequential)]
    struct Time
    {
        public long Seconds, Nanoseconds;
    }

    [DllImport("libc"), SuppressGCTransition]
    static extern int clock_gettime(int clock, out Time time);

    [DllImport("libc", EntryPoint = "gettid"), SuppressGCTransition]
    public static extern int Tid();

    /// <summary>What the calling thread has used.</summary>
    public static long Ns()
    {
        const int ThreadCpu = 3;
        _ = clock_gettime(ThreadCpu, out Time time);
        return time.Seconds * 1_000_000_000 + time.Nanoseconds;
    }
}

sealed class Node(Node? left, Node? right)
{
    public readonly Node? Left = left, Right = right;

    public static Node Tree(int depth) => depth == 0 ? new(null, null) : new(Tree(depth - 1), Tree(depth - 1));
}

static class Program
{
    static volatile bool s_works;
    static readonly AutoResetEvent s_go = new(false), s_done = new(false);
    static long s_outsideNs, s_sum;
    static int s_outsideTid;

    /// <summary>On the thread that collects, between two collections.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Between(int turns)
    {
        long sum = turns;
        for (int i = 0; i < turns; i++)
            sum = sum * 6364136223846793005 + 1442695040888963407;
        return sum;
    }

    /// <summary>On the thread that never collects.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Outside(int turns)
    {
        long sum = turns;
        for (int i = 0; i < turns; i++)
            sum = sum * 2862933555777941757 + 3037000493;
        return sum;
    }

    static void Compute()
    {
        s_outsideTid = Cpu.Tid();
        for (s_done.Set(); s_go.WaitOne(); s_done.Set())
        {
            long before = Cpu.Ns(), sum = 0;
            while (s_works)
                sum += Outside(100_000);
            s_sum += sum;
            s_outsideNs = Cpu.Ns() - before;
        }
    }

    static string Work(long ms)
    {
        Stopwatch clock = Stopwatch.StartNew();
        long collectNs = 0, betweenNs = 0, collections = 0;
        TimeSpan paused = GC.GetTotalPauseDuration();
        s_works = true;
        s_go.Set();
        for (; clock.ElapsedMilliseconds < ms; collections++)
        {
            long begin = Cpu.Ns();
            GC.Collect(2, GCCollectionMode.Forced, blocking: true);
            long collected = Cpu.Ns();
            s_sum += Between(10_000_000);
            collectNs += collected - begin;
            betweenNs += Cpu.Ns() - collected;
        }
        s_works = false;
        s_done.WaitOne();
        long pausedNs = (GC.GetTotalPauseDuration() - paused).Ticks * 100;
        return $"{{\"cmd\":\"work\",\"collections\":{collections},\"paused_ns\":{pausedNs},\"collect_ns\":{collectNs},\"between_ns\":{betweenNs},\"outside_ns\":{s_outsideNs}}}";
    }

    static void Main()
    {
        Node kept = Node.Tree(18);
        new Thread(Compute) { Name = "outside", IsBackground = true }.Start();
        s_done.WaitOne();
        _ = Work(300); // to the last tier
        Console.WriteLine($"{{\"ready\":true,\"pid\":{Environment.ProcessId},\"main_tid\":{Cpu.Tid()},\"outside_tid\":{s_outsideTid}}}");
        for (string? line; (line = Console.ReadLine()) is not null and not "quit";)
            Console.WriteLine(Work(long.Parse(line.Split(' ')[1])));
        GC.KeepAlive(kept);
    }
}
