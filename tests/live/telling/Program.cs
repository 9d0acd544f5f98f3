// SPDX-License-Identifier: GPL-2.0-only
// It tells of its work when it is told to: by an EventSource, and by ILogger, at Information and at Debug, of two categories.
using System;
using System.Diagnostics.Tracing;
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
            Say($$"""{"collections": {{GC.CollectionCount(0)}}, "full": {{GC.CollectionCount(2)}}}""");
        }
    }
}
