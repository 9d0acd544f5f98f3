// SPDX-License-Identifier: GPL-2.0-only
using System;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Shop;

/// <summary>What is around the shop, in a process of its own: its customers, and the payment provider.</summary>
internal static class World
{
    private static int s_paymentMs = 40;

    public static int Run()
    {
        using WebApplication payments = OpenPayments();
        Customers customers = new();
        Console.WriteLine($"{{\"ready\":true,\"pid\":{Environment.ProcessId},\"payments\":\"{payments.Urls.First()}\"}}");
        while (Console.ReadLine() is { } line && line != "quit")
            Console.WriteLine(Do(line.Split(' '), customers));
        return 0;
    }

    private static WebApplication OpenPayments()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        WebApplication app = builder.Build();
        app.MapPost("/charge/{cents:long}", async (long cents) =>
        {
            await Task.Delay(Volatile.Read(ref s_paymentMs));
            return cents >= 0;
        });
        app.Start();
        return app;
    }

    private static string Do(string[] words, Customers customers)
    {
        switch (words)
        {
            case ["open", string shop]:
                customers.Come(new Uri(shop));
                break;
            case ["rate", string kind, string rate] when customers.SetRate(kind, double.Parse(rate, CultureInfo.InvariantCulture)):
                break;
            case ["send", string kind] when customers.Send(kind):
                break;
            case ["payment", string ms]:
                Volatile.Write(ref s_paymentMs, int.Parse(ms, CultureInfo.InvariantCulture));
                break;
            case ["count"]:
                return $"{{\"cmd\":\"count\",\"answered\":{customers.Answered},\"failed\":{customers.Failed},\"waiting\":{customers.Waiting},\"turned_away\":{customers.TurnedAway}}}";
            default:
                return "{\"error\":\"no such command or kind\"}";
        }
        return $"{{\"cmd\":\"{words[0]}\"}}";
    }
}
