// SPDX-License-Identifier: GPL-2.0-only
// A program that rents from a pool of arrays for the first time in its life at the worst moment: while a session is opened behind the one for the runtime's own
// counters, on a machine that has no CPU yet for the thread that reads these (it is held up for so long). The static constructor of ArrayPoolEventSource waits for the
// lock of all EventSources then, which who opens the session has; where that one needs the pool, too, both stand for ever. It says "rented" when it got over that, and
// answers each line of standard input. Nothing else in it may rent: no interpolated strings.
using System;
using System.Buffers;
using System.Diagnostics.Tracing;
using System.Reflection;
using System.Threading;

internal static class FirstRent
{
    private const BindingFlags Inner = BindingFlags.NonPublic | BindingFlags.Static;
    private const int HeldUpMs = 1000;
    private static volatile bool s_loaded;

    private static void RentWhileOthersOpen(EventSource counters, object all)
    {
        Type group = typeof(EventSource).Assembly.GetType("System.Diagnostics.Tracing.CounterGroup")!;
        object reading = group.GetField("s_counterGroupLock", Inner)!.GetValue(null)!;
        FieldInfo reader = group.GetField("s_pollingThread", Inner)!;
        while (!counters.IsEnabled())
            Thread.SpinWait(20);
        Monitor.Enter(reading);
        while (reader.GetValue(null) is null)
        {
            Monitor.Exit(reading);
            Thread.SpinWait(20);
            Monitor.Enter(reading);
        }
        // What publishes Meters is loaded first, then its session is opened.
        long until = Environment.TickCount64 + HeldUpMs;
        while (!s_loaded && Environment.TickCount64 < until)
            Thread.SpinWait(20);
        while (Environment.TickCount64 < until && Monitor.TryEnter(all))
        {
            Monitor.Exit(all);
            Thread.SpinWait(20);
        }
        ArrayPool<char>.Shared.Return(ArrayPool<char>.Shared.Rent(100));
        Monitor.Exit(reading);
        Console.WriteLine("{\"rented\":true}");
    }

    private static void Main()
    {
        EventSource? counters = null;
        foreach (EventSource source in EventSource.GetSources())
            counters = source.Name == "System.Runtime" ? source : counters;
        object all = typeof(EventListener).GetProperty("EventListenersLock", Inner)!.GetValue(null)!;
        AppDomain.CurrentDomain.AssemblyLoad += static (_, loaded) => s_loaded |= loaded.LoadedAssembly.GetName().Name == "System.Diagnostics.DiagnosticSource";
        new Thread(() => RentWhileOthersOpen(counters!, all)) { IsBackground = true }.Start();
        Console.WriteLine(string.Concat("{\"ready\":true,\"pid\":", Environment.ProcessId.ToString(), "}"));
        while (Console.ReadLine() is not null)
            Console.WriteLine("{}");
    }
}
