// SPDX-License-Identifier: GPL-2.0-only
// It tells of its work when it is told to: by an EventSource, and by ILogger, at Information and at Debug, of two categories.
using System;
using System.Collections.Generic;
using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
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
            for (int i = 0; i < count && words[0] == "orders"; i++)
            {
                Told.s_log.OrderTaken(i, $"Ann \u001b[31m \"{i}\"", 1.5 * i, i % 2 == 0, -i, new Guid(i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
                Told.s_log.OrderLine(i);
            }
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
            Say($$"""{"collections": {{GC.CollectionCount(0)}}, "full": {{GC.CollectionCount(2)}}, "sizes": [{{string.Join(", ", sizes)}}], "pinned": {{last.PinnedObjectsCount}}}""");
        }
    }
}
