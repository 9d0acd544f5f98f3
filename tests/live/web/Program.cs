// SPDX-License-Identifier: GPL-2.0-only
// A web server that counts, for the tests of counters. One command per line of standard input, one JSON line per command on standard output:
//   requests N      N requests, one after the other, from a client in this process to its own server; all have been counted when it answers
//   call N PATH     N requests of that path, one after the other, whatever the status; `took_ms`: the server's own stopwatch, of each
//                   Paths: /hello, /slow/MS (waits), /spin/MS (computes), /fail/ID (status 500); /burn/MS, /hop/MS, /collect/N (Burning.cs)
//   begin N PATH    N requests of that path that nobody waits for
//   load N PATH     N clients that ask for that path, each 50 ms after its last answer, until the process ends
//   flying          the requests that it has now: path, when it began on the monotonic clock, its trace; and how many have begun and ended so far
//   burnt           CPU time in ns that /burn and /hop have used so far, by route; and for how long all threads have stood for collections
//   mixed MS        work of many kinds in the framework, for that long (Mixed.cs)
//   orders N KIND   N orders of a kind: counts in the Meter Shop.Orders, and in the EventSource Shop-Orders
//   durations A B…  values measured in the histogram checkout.duration of that Meter, and the mean of the EventSource's checkout-time
//   counted         `orders`: does anybody listen to the Meter Shop.Orders?
//   series N        N orders of kinds of their own: as many time series
//   quit            ends
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Diagnostics.Tracing;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace Web;

[EventSource(Name = "Shop-Orders")]
internal sealed class OrderSource : EventSource
{
    public readonly IncrementingEventCounter Orders;
    public readonly EventCounter CheckoutTime;

    public OrderSource()
    {
        Orders = new IncrementingEventCounter("orders", this) { DisplayName = "Orders Taken" };
        CheckoutTime = new EventCounter("checkout-time", this) { DisplayUnits = "ms" };
    }
}

internal static class Program
{
    private static readonly Meter Meter = new("Shop.Orders");
    private static readonly Counter<long> Orders = Meter.CreateCounter<long>("orders", "{order}", "Orders that were taken");
    private static readonly UpDownCounter<long> Open = Meter.CreateUpDownCounter<long>("orders.open", "{order}");
    private static readonly Histogram<double> Duration = Meter.CreateHistogram<double>("checkout.duration", "s");
    private static long stock = 1000;

    private static async Task Main()
    {
        using OrderSource source = new();
        Meter.CreateObservableGauge("stock", () => stock, "{piece}");
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        await using WebApplication app = builder.Build();
        List<double> took = [];
        ConcurrentDictionary<long, object> flying = new();
        long begun = 0, ended = 0;
        app.Use(async (HttpContext context, RequestDelegate next) =>
        {
            long start = Stopwatch.GetTimestamp();
            long number = Interlocked.Increment(ref begun);
            flying[number] = new { path = context.Request.Path.Value, began_ns = start, trace = Activity.Current?.TraceId.ToHexString() };
            try
            {
                await next(context);
            }
            finally
            {
                flying.TryRemove(number, out _);
                Interlocked.Increment(ref ended);
            }
            lock (took)
                took.Add(Stopwatch.GetElapsedTime(start).TotalMilliseconds);
        });
        app.MapGet("/hello", () => "hello");
        app.MapGet("/slow/{ms:int}", (int ms) => Task.Delay(ms));
        app.MapGet("/spin/{ms:int}", Spin);
        app.MapGet("/fail/{id:int}", (int id) => Results.StatusCode(500));
        using HttpClient downstream = new();
        app.MapGet("/pay/{port:int}", (int port) => downstream.GetStringAsync($"http://127.0.0.1:{port}/"));
        Asking.Map(app, downstream);
        Mixed.Map(app);
        Burning.Map(app);
        await app.StartAsync();
        using HttpClient client = new() { BaseAddress = new Uri(app.Urls.First()) };
        Console.WriteLine($"{{\"ready\":true,\"pid\":{Environment.ProcessId}}}");
        while (Console.ReadLine() is { } line && line != "quit")
        {
            string[] words = line.Split(' ');
            switch (words[0])
            {
                case "requests":
                    for (int i = Number(words[1]); i > 0; i--)
                        await client.GetStringAsync("/hello");
                    break;
                case "counted":
                    Console.WriteLine($"{{\"cmd\":\"counted\",\"orders\":{(Orders.Enabled ? "true" : "false")}}}");
                    continue;
                case "call":
                    lock (took)
                        took.Clear();
                    for (int i = Number(words[1]); i > 0; i--)
                        (await client.GetAsync(words[2])).Dispose();
                    lock (took)
                        Console.WriteLine($"{{\"cmd\":\"call\",\"took_ms\":[{string.Join(',', took.Select(ms => ms.ToString("F3", CultureInfo.InvariantCulture)))}]}}");
                    continue;
                case "begin":
                    for (int i = Number(words[1]); i > 0; i--)
                        _ = client.GetAsync(words[2]);
                    break;
                case "load":
                    for (int i = Number(words[1]); i > 0; i--)
                        _ = Ask(client.BaseAddress!, words[2]);
                    break;
                case "flying":
                    Console.WriteLine(JsonSerializer.Serialize(new { cmd = "flying", begun = Interlocked.Read(ref begun), ended = Interlocked.Read(ref ended), in_flight = flying.Values }));
                    continue;
                case "burnt":
                    Console.WriteLine(JsonSerializer.Serialize(new { cmd = "burnt", ns = Burning.Sums, paused_ns = GC.GetTotalPauseDuration().TotalNanoseconds }));
                    continue;
                case "asked":
                    Console.WriteLine(JsonSerializer.Serialize(new { cmd = "asked", waited_ns = Asking.WaitedNs, took_ns = Asking.TookNs }));
                    continue;
                case "outside": // of any request that is served
                    await downstream.GetStringAsync($"http://127.0.0.1:{words[1]}/");
                    break;
                case "odd":
                    Console.WriteLine(JsonSerializer.Serialize(new { cmd = "odd", said = await client.GetStringAsync("/odd") }));
                    continue;
                case "mixed":
                    await Mixed.Run(client, Number(words[1]));
                    break;
                case "orders":
                    Take(source, Number(words[1]), words[2]);
                    break;
                case "durations":
                    foreach (double value in words.Skip(1).Select(word => double.Parse(word, CultureInfo.InvariantCulture)))
                    {
                        Duration.Record(value, new KeyValuePair<string, object?>("pay", "card"));
                        source.CheckoutTime.WriteMetric(value * 1000);
                    }
                    break;
                case "series":
                    for (int i = Number(words[1]); i > 0; i--)
                        Take(source, 1, $"kind{i}");
                    break;
                default:
                    Console.WriteLine("{\"error\":\"no such command\"}");
                    continue;
            }
            Console.WriteLine($"{{\"cmd\":\"{words[0]}\"}}");
        }
        await app.StopAsync();
    }

    /// <summary>Not by HttpClient: it would be among what the server calls.</summary>
    private static async Task Ask(Uri server, string path)
    {
        byte[] request = Encoding.ASCII.GetBytes($"GET {path} HTTP/1.1\r\nHost: {server.Authority}\r\nConnection: close\r\n\r\n");
        while (true)
        {
            using (TcpClient connection = new())
            {
                await connection.ConnectAsync(server.Host, server.Port);
                NetworkStream stream = connection.GetStream();
                await stream.WriteAsync(request);
                await stream.CopyToAsync(Stream.Null);
            }
            await Task.Delay(50);
        }
    }

    private static void Take(OrderSource source, int count, string kind)
    {
        KeyValuePair<string, object?> tag = new("kind", kind);
        Orders.Add(count, tag);
        Open.Add(count);
        stock -= count;
        source.Orders.Increment(count);
    }

    /// <summary>A request that computes for so long, as one with an endless loop does.</summary>
    private static ulong Spin(int ms)
    {
        ulong sum = 1;
        for (long end = Stopwatch.GetTimestamp() + ms * Stopwatch.Frequency / 1000; Stopwatch.GetTimestamp() < end;)
            for (int i = 0; i < 100_000; i++)
                sum = sum * 6364136223846793005 + 1442695040888963407;
        return sum;
    }

    private static int Number(string word) => int.Parse(word, CultureInfo.InvariantCulture);
}
