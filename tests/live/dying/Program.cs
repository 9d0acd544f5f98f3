// SPDX-License-Identifier: GPL-2.0-only
// Threads at known places, and an end of a known kind: for the tests of core dumps. Each thread is in a method of its own that nothing else is in. A line on standard input says what comes:
// "unhandled", "abort" and "native" end it by an exception, by Environment.FailFast() and by abort() of libc; the end of the input ends it as usual.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

internal static class Dying
{
    private const int Deep = 60, Started = 11;
    private static readonly object s_monitor = new();
    private static readonly Lock s_lock = new();
    private static readonly CountdownEvent s_started = new(Started);
    private static readonly ManualResetEventSlim s_held = new();
    private static long s_spins;

    [DllImport("libc", EntryPoint = "pause")]
    private static extern int Pause();

    [DllImport("libc", EntryPoint = "abort")]
    private static extern void Abort();

    [DllImport("libc", EntryPoint = "qsort")]
    private static extern unsafe void Sort(int* items, nint count, nint size, delegate* unmanaged<int*, int*, int> compare);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void HoldsBoth()
    {
        lock (s_monitor)
        {
            s_lock.Enter();
            s_held.Set();
            Sleeps();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Sleeps()
    {
        s_started.Signal();
        Thread.Sleep(Timeout.Infinite);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WaitsForMonitor()
    {
        s_held.Wait();
        s_started.Signal();
        lock (s_monitor)
            Console.Error.WriteLine("monitor");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WaitsForLock()
    {
        s_held.Wait();
        s_started.Signal();
        lock (s_lock)
            Console.Error.WriteLine("lock");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void InNativeCode()
    {
        s_started.Signal();
        _ = Pause();
    }

    // Its stack pointer is in managed code, which a thread that waits never is.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Spins()
    {
        s_started.Signal();
        for (;;)
            s_spins++;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void GoesDeep<T>(int depth, List<T> seen) where T : struct
    {
        seen.Add(default);
        if (depth == 0)
            Sleeps();
        else
            GoesDeep(depth - 1, seen);
        GC.KeepAlive(seen);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WaitsInCatch()
    {
        try
        {
            throw new ArgumentException("caught");
        }
        catch (ArgumentException)
        {
            Sleeps();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WaitsInFinally()
    {
        try
        {
            s_spins++;
        }
        finally
        {
            Sleeps();
        }
    }

    [UnmanagedCallersOnly]
    private static unsafe int CompareOnce(int* left, int* right)
    {
        Sleeps();
        return *left - *right;
    }

    // Managed code, called by native code, called by managed code.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe void IsCalledBack()
    {
        int* items = stackalloc int[] { 2, 1 };
        Sort(items, 2, sizeof(int), &CompareOnce);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task Awaits()
    {
        s_started.Signal();
        await Task.Delay(Timeout.Infinite);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WaitsForTask() => Awaits().Wait();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Ends(string how)
    {
        if (how == "unhandled")
            throw new InvalidOperationException("nobody catches this");
        if (how == "abort")
            Environment.FailFast("this is the end");
        if (how == "native")
            Abort();
    }

    private static void Start(string name, ThreadStart work) => new Thread(work) { Name = name, IsBackground = true }.Start();

    private static void Main()
    {
        Start("holder", HoldsBoth);
        Start("monitor", WaitsForMonitor);
        Start("lock", WaitsForLock);
        Start("native", InNativeCode);
        Start("spins", Spins);
        Start("deep", () => GoesDeep(Deep, new List<double>()));
        Start("catch", WaitsInCatch);
        Start("finally", WaitsInFinally);
        Start("callback", IsCalledBack);
        Start("task", WaitsForTask);
        ThreadPool.QueueUserWorkItem(_ => Sleeps());
        s_started.Wait();
        Console.WriteLine($"{{\"ready\":true,\"pid\":{Environment.ProcessId}}}");
        while (Console.In.ReadLine() is string line)
        {
            Thread ends = new(() => Ends(line));
            ends.Start();
            ends.Join();
        }
    }
}
