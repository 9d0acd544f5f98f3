// SPDX-License-Identifier: GPL-2.0-only
using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;

namespace Shop;

/// <summary>Customers who come at random moments, so many a second of each kind on average, and do not wait for each other.</summary>
internal sealed class Customers
{
    private const int MostAtOnce = 400, LookMs = 50;
    private static readonly string[] Words = ["kettle", "red lamp", "chair", "green", "mirror 1", "shelf", "clock 44"];

    private sealed class Kind(string name, double rate, Func<int, HttpRequestMessage> ask)
    {
        public readonly string Name = name;
        public readonly Func<int, HttpRequestMessage> Ask = ask;
        public double Rate = rate;
    }

    private readonly Kind[] _kinds =
    [
        new("page", 12, n => Get($"/catalogue/{n % 100}")),
        new("picture", 10, n => Get($"/pictures/{n % 2000}")),
        new("search", 6, n => Get($"/search?q={Uri.EscapeDataString(Words[n % Words.Length])}")),
        new("cart", 6, n => Post($"/carts/{n % 300}/{n % 1999}")),
        new("checkout", 2, n => Post($"/checkout/{n % 300}")),
        new("report", 0.5, _ => Get("/reports/sales")),
        // Somebody holds a key down, and then hits another one.
        new("odd-search", 0, _ => Get($"/search?q={new string('a', 60)}%21")),
    ];

    private readonly HttpClient _client = new();
    private int _answered, _failed, _waiting, _turnedAway;

    public int Answered => Volatile.Read(ref _answered);

    public int Failed => Volatile.Read(ref _failed);

    public int Waiting => Volatile.Read(ref _waiting);

    public int TurnedAway => Volatile.Read(ref _turnedAway);

    public void Come(Uri shop)
    {
        _client.BaseAddress = shop;
        foreach (Kind kind in _kinds)
            _ = ComeAs(kind);
    }

    /// <summary>False when there is no such kind.</summary>
    public bool SetRate(string name, double perSecond)
    {
        Kind? kind = Find(name);
        if (kind is not null)
            Volatile.Write(ref kind.Rate, perSecond);
        return kind is not null;
    }

    /// <summary>One of them, now. False when there is no such kind.</summary>
    public bool Send(string name)
    {
        Kind? kind = Find(name);
        if (kind is not null)
            _ = Ask(kind.Ask(0));
        return kind is not null;
    }

    private Kind? Find(string name) => _kinds.FirstOrDefault(kind => kind.Name == name);

    private async Task ComeAs(Kind kind)
    {
        Random random = new(kind.Name.Length);
        Stopwatch clock = Stopwatch.StartNew();
        double next = 0;
        for (int number = 0;;)
        {
            double rate = Volatile.Read(ref kind.Rate), now = clock.Elapsed.TotalMilliseconds;
            if (rate <= 0)
            {
                await Task.Delay(LookMs);
                next = now;
                continue;
            }
            next = Math.Max(next, now - 1000) - Math.Log(1 - random.NextDouble()) * 1000 / rate;
            if (next > now)
                await Task.Delay(TimeSpan.FromMilliseconds(next - now));
            _ = Ask(kind.Ask(number++));
        }
    }

    private async Task Ask(HttpRequestMessage request)
    {
        if (Volatile.Read(ref _waiting) >= MostAtOnce)
        {
            Interlocked.Increment(ref _turnedAway);
            return;
        }
        Interlocked.Increment(ref _waiting);
        try
        {
            using HttpResponseMessage answer = await _client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
            await answer.Content.CopyToAsync(Stream.Null);
            Interlocked.Increment(ref (answer.IsSuccessStatusCode ? ref _answered : ref _failed));
        }
        catch (Exception e) when (e is HttpRequestException or OperationCanceledException or IOException)
        {
            Interlocked.Increment(ref _failed);
        }
        finally
        {
            Interlocked.Decrement(ref _waiting);
        }
    }

    private static HttpRequestMessage Get(string path) => new(HttpMethod.Get, path);

    private static HttpRequestMessage Post(string path) => new(HttpMethod.Post, path);
}
