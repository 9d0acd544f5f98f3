// SPDX-License-Identifier: GPL-2.0-only
// A route that asks another server, waits for something else, and measures both itself. Every other time an activity of its own lies between.
using System;
using System.Diagnostics;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;

namespace Web;

internal static class Asking
{
    private static long s_count, s_waited, s_took;

    public static long WaitedNs => Interlocked.Read(ref s_waited);

    public static long TookNs => Interlocked.Read(ref s_took);

    public static void Map(WebApplication app, HttpClient client)
    {
        app.MapGet("/odd", Odd);
        app.MapGet("/ask/{port:int}/{times:int}/{ms:int}", async (int port, int times, int ms) =>
        {
            long begin = Stopwatch.GetTimestamp();
            using (Interlocked.Increment(ref s_count) % 2 == 0 ? new Activity("between").Start() : null)
            {
                var asked = new Task[times];
                for (int i = 0; i < times; i++)
                    asked[i] = client.GetStringAsync($"http://127.0.0.1:{port}/");
                await Task.WhenAll(asked);
            }
            Interlocked.Add(ref s_waited, Stopwatch.GetElapsedTime(begin).Ticks * 100);
            await Task.Delay(ms);
            Interlocked.Add(ref s_took, Stopwatch.GetElapsedTime(begin).Ticks * 100);
        });
    }

    /// <summary>What becomes of requests without an address, with half of one, and with one of another kind.</summary>
    private static async Task<string> Odd()
    {
        using HttpMessageInvoker invoker = new(new SocketsHttpHandler());
        var said = "";
        foreach (Uri? address in new Uri?[] { null, new("/relative", UriKind.Relative), new("mailto:nobody@example.org") })
        {
            using HttpRequestMessage request = new() { RequestUri = address };
            try
            {
                using HttpResponseMessage response = await invoker.SendAsync(request, CancellationToken.None);
            }
            catch (Exception problem)
            {
                said += $"{problem.GetType().Name}: {problem.Message}\n";
            }
        }
        return said;
    }
}
