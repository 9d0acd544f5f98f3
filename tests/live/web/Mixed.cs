// SPDX-License-Identifier: GPL-2.0-only
// Work of the kind that most servers do, nearly all of it in code of the framework: requests answered as JSON, regular expressions, LINQ, async methods.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Net.Http;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

namespace Web;

internal sealed record Line(string Article, int Count, decimal Price);

internal sealed record Order(int Number, string Customer, DateTime Placed, List<Line> Lines);

internal static partial class Mixed
{
    private static readonly Regex Interpreted = new(@"(\w+)-(\d{2,4})\s+(?<rest>[^;]*);");
    private static readonly Regex Compiled = new(@"^(?:[a-z0-9.]+)@(?<host>[a-z0-9.-]+\.[a-z]{2,})$", RegexOptions.Compiled | RegexOptions.IgnoreCase);

    public static void Map(WebApplication app)
    {
        app.MapGet("/orders/{count:int}", (int count) => Results.Json(Enumerable.Range(0, count).Select(Make).ToList()));
        app.MapPost("/orders", async (HttpRequest request) =>
        {
            List<Order>? orders = await JsonSerializer.DeserializeAsync<List<Order>>(request.Body, JsonSerializerOptions.Web);
            return Results.Text(Summary(orders ?? []));
        });
    }

    /// <summary>Works for that long; how many rounds it made.</summary>
    public static async Task<int> Run(HttpClient client, int milliseconds)
    {
        Stopwatch watch = Stopwatch.StartNew();
        int rounds = 0;
        for (; watch.ElapsedMilliseconds < milliseconds; rounds++)
        {
            string json = await client.GetStringAsync("/orders/40");
            using StringContent content = new(json, System.Text.Encoding.UTF8, "application/json");
            using HttpResponseMessage answer = await client.PostAsync("/orders", content);
            string text = await answer.Content.ReadAsStringAsync();
            int[] found = await Task.WhenAll(Enumerable.Range(0, 4).Select(part => Search(text, part)));
            if (found.Sum() == 0)
                throw new InvalidOperationException(text);
        }
        return rounds;
    }

    private static Order Make(int number) => new(number, $"customer{number}@shop-{number % 7}.example.org", DateTime.UnixEpoch.AddDays(number),
        [.. Enumerable.Range(1, number % 5 + 1).Select(i => new Line($"article-{number * 10 + i}", i, 1.25m * i))]);

    private static string Summary(List<Order> orders) => string.Join("\n",
        from order in orders
        let host = Compiled.Match(order.Customer).Groups["host"].Value
        group order by host into byHost
        orderby byHost.Sum(order => order.Lines.Sum(line => line.Count * line.Price)) descending
        select $"{byHost.Key} {string.Join(' ', byHost.SelectMany(order => order.Lines).Select(line => line.Article + " x;"))}");

    private static async Task<int> Search(string text, int part)
    {
        await Task.Yield();
        return Interpreted.Matches(text).Count(match => match.Groups[2].Value.Length >= 2) + part;
    }
}
