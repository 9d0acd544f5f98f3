// SPDX-License-Identifier: GPL-2.0-only
// It tells of its work when it is told to: by an EventSource, and by ILogger, at Information and at Debug, of two categories.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Telling;

[EventSource(Name = "Shop-Told")]
sealed class Told : EventSource
{
    public static readonly Told s_log = new();

    public static class Keywords
    {
        public const EventKeywords Orders = (EventKeywords)1;
        public const EventKeywords Details = (EventKeywords)2;
    }

    [Event(1, Level = EventLevel.Informational, Keywords = Keywords.Orders)]
    public void OrderTaken(int number, string customer, double price, bool paid, long change, Guid id) => WriteEvent(1, number, customer, price, paid, change, id);

    [Event(2, Level = EventLevel.Verbose, Keywords = Keywords.Details)]
    public void OrderLine(int number) => WriteEvent(2, number);
}

[EventData]
public sealed class Line
{
    public int Number { get; set; }
    public string Article { get; set; } = "";
}

// It describes its events itself: objects within objects, arrays, pairs of key and value.
[EventSource(Name = "Shop-Shaped")]
sealed class Shaped : EventSource
{
    public static readonly Shaped s_log = new();

    Shaped() : base(EventSourceSettings.EtwSelfDescribingEventFormat)
    {
    }

    [Event(2)]
    public void Taken(Line first, Line[] lines, double[] shares, bool paid, string last) => WriteEvent(2, first, lines, shares, paid, last);

    [Event(1)]
    public void Pairs(string name, IEnumerable<KeyValuePair<string, string>> arguments, int[] numbers, string last) => WriteEvent(1, name, arguments, numbers, last);
}

// It has a manifest, in which the one array is that of bytes.
[EventSource(Name = "Shop-Listed")]
sealed class Listed : EventSource
{
    public static readonly Listed s_log = new();

    [Event(1)]
    public void Bytes(int before, byte[] bytes, int behind) => WriteEvent(1, before, bytes, behind);

    [Event(2)]
    public void Times(DateTime at, DayOfWeek day, char letter, short small, IntPtr where, int last) => WriteEvent(2, at, day, letter, small, where, last);
}

static class Program
{
    static void Say(string what) => Console.Out.Write(what + "\n");

    sealed class Finalizable
    {
        ~Finalizable() => s_finalized++;
    }

    static int s_finalized;
    static byte[][] s_large = [];
    static readonly List<GCHandle> s_pins = [];

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Lose(int count)
    {
        for (int i = 0; i < count; i++)
            _ = new Finalizable();
    }

    // That many pinned small objects, as many that wait for their finalizer, 2 MB on the pinned heap and 3 MB of large objects; and a full collection.
    static void Pin(int count)
    {
        s_large = [GC.AllocateArray<byte>(2 << 20, pinned: true), new byte[3 << 20]];
        for (int i = 0; i < count; i++)
            s_pins.Add(GCHandle.Alloc(new byte[100], GCHandleType.Pinned));
        Lose(count);
        GC.Collect(2, GCCollectionMode.Forced, blocking: true);
    }

    static void Shape(int i)
    {
        Line[] lines = [new Line { Number = 1, Article = "ink" }, new Line { Number = 2, Article = "" }];
        DateTime at = new(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc);
        Shaped.s_log.Write("Order", new { Customer = "Ann", First = new Line { Number = i, Article = "pen" }, Lines = lines, Last = "end" });
        Shaped.s_log.Write("Truths", new { Paid = true, Letter = 'q', Last = "end" });
        Shaped.s_log.Write("Ids", new { Id = new Guid(i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), Small = (short)-5, Last = "end" });
        Shaped.s_log.Write("At", new { At = at, Last = "end" });
        Shaped.s_log.Write("Sum", new { Sum = 12.5m, Last = "end" });
        Shaped.s_log.Write("Day", new { Day = DayOfWeek.Friday, Last = "end" });
        Shaped.s_log.Taken(new Line { Number = i, Article = "pen" }, lines, [0.5, 1.5], true, "end");
        Shaped.s_log.Pairs("many", [], new int[100], "end");
        Shaped.s_log.Pairs("pairs", new Dictionary<string, string> { ["k"] = "v", ["l"] = "w" }, [4, 5], "end");
        Listed.s_log.Bytes(1, [9, 8, 7], 2);
        Listed.s_log.Times(new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc), DayOfWeek.Friday, 'q', -5, 77, 99);
    }

    // Two events.
    static void Order(int i)
    {
        Told.s_log.OrderTaken(i, $"Ann \u001b[31m \"{i}\"", 1.5 * i, i % 2 == 0, -i, new Guid(i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
        Told.s_log.OrderLine(i);
    }

    // Where an event is written, by the runtime's own word: the methods, the innermost first.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static string WriteAndSay()
    {
        StackTrace trace = new();
        Told.s_log.OrderTaken(4711, "where", 1, true, 1, Guid.Empty);
        return string.Join(", ", Array.ConvertAll(trace.GetFrames(), frame => $"\"{frame.GetMethod()!.DeclaringType}.{frame.GetMethod()!.Name}\""));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Deep(int left)
    {
        if (left > 0)
            Deep(left - 1);
        else
            Say($$"""{"stack": [{{WriteAndSay()}}]}""");
        s_finalized += left;
    }

    // So many orders a second, all the time.
    static void Rate(int rate, int seconds)
    {
        Stopwatch time = Stopwatch.StartNew();
        for (int written = 0; written < rate * seconds; Thread.Sleep(5))
            for (int due = (int)Math.Min(rate * seconds, rate * time.Elapsed.TotalSeconds); written < due; written++)
                Order(written);
    }

    static void Main()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Logging.AddEventSourceLogger();
        using WebApplication app = builder.Build();
        ILoggerFactory factory = app.Services.GetRequiredService<ILoggerFactory>();
        ILogger checkout = factory.CreateLogger("Shop.Checkout"), stock = factory.CreateLogger("Shop.Stock");
        Say("""{"ready": true}""");
        while (Console.In.ReadLine() is string line)
        {
            string[] words = line.Split(' ');
            if (words[0] == "quit")
                return;
            int count = words.Length > 1 ? int.Parse(words[1]) : 0;
            if (words[0] == "where")
            {
                Deep(count);
                continue;
            }
            for (int i = 0; i < count && words[0] == "orders"; i++)
                Order(i);
            if (words[0] == "rate")
                Rate(count, int.Parse(words[2]));
            for (int i = 0; i < count && words[0] == "shapes"; i++)
                Shape(i);
            for (int i = 0; i < count && words[0] == "log"; i++)
            {
                checkout.LogInformation("order {Number} is paid", i);
                checkout.LogDebug("order {Number} was looked at", i);
                stock.LogDebug("shelf {Number}", i);
            }
            if (words[0] == "collect")
                for (int i = 0; i < count; i++)
                    GC.Collect(1);
            if (words[0] == "pin")
                Pin(count);
            GCMemoryInfo last = GC.GetGCMemoryInfo(GCKind.FullBlocking);
            long[] sizes = new long[last.GenerationInfo.Length];
            for (int i = 0; i < sizes.Length; i++)
                sizes[i] = last.GenerationInfo[i].SizeAfterBytes;
            Say($$"""{"collections": {{GC.CollectionCount(0)}}, "full": {{GC.CollectionCount(2)}}, "sizes": [{{string.Join(", ", sizes)}}], "pinned": {{last.PinnedObjectsCount}}, "asked": {{(Told.s_log.IsEnabled() ? 1 : 0)}}}""");
        }
    }
}
