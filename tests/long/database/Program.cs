// SPDX-License-Identifier: GPL-2.0-only
// A shop that asks a database. Arguments: a connection string. One command per line of standard input, one JSON line per command on standard output:
//   call N PATH     N requests of that path to its own server, one after the other, whatever the status; `took_ms`: of each what the database took, by its own stopwatch
//                   Paths: /stock (a query), /wrong (one that fails), /report/MS (a query that takes so long)
//   begin N PATH    N requests of that path that nobody waits for
//   load N PATH     N clients that ask for that path again and again, until the process ends
//   quit            ends
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Net.Http;
using System.Text.Json;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Npgsql;

namespace Database;

internal static class Program
{
    private static readonly List<double> Took = [];

    private static async Task<IResult> Ask(NpgsqlDataSource database, string query)
    {
        await using NpgsqlConnection connection = await database.OpenConnectionAsync();
        await using NpgsqlCommand command = new(query, connection);
        long start = Stopwatch.GetTimestamp();
        try
        {
            return Results.Text(Convert.ToString(await command.ExecuteScalarAsync(), CultureInfo.InvariantCulture));
        }
        catch (PostgresException problem)
        {
            return Results.Problem(problem.MessageText);
        }
        finally
        {
            lock (Took)
                Took.Add(Stopwatch.GetElapsedTime(start).TotalMilliseconds);
        }
    }

    private static async Task Main(string[] args)
    {
        await using NpgsqlDataSource database = NpgsqlDataSource.Create(args[0]);
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        await using WebApplication app = builder.Build();
        app.MapGet("/stock", () => Ask(database, "select 42"));
        app.MapGet("/wrong", () => Ask(database, "select no_such_column"));
        app.MapGet("/report/{ms:int}", (int ms) => Ask(database, string.Create(CultureInfo.InvariantCulture, $"select 42 from pg_sleep({ms / 1000.0})")));
        await app.StartAsync();
        using HttpClient client = new() { BaseAddress = new Uri(app.Urls.First()) };
        Console.WriteLine(JsonSerializer.Serialize(new { ready = true }));
        while (Console.ReadLine() is string line && line != "quit")
        {
            string[] words = line.Split(' ');
            int count = int.Parse(words[1], CultureInfo.InvariantCulture);
            lock (Took)
                Took.Clear();
            if (words[0] == "load")
                for (int i = 0; i < count; i++)
                    _ = Task.Run(async () =>
                    {
                        for (; ; )
                            (await client.GetAsync(words[2])).Dispose();
                    });
            else if (words[0] == "begin")
                _ = Task.WhenAll(Enumerable.Range(0, count).Select(_ => client.GetAsync(words[2])));
            else
                for (int i = 0; i < count; i++)
                    (await client.GetAsync(words[2])).Dispose();
            lock (Took)
                Console.WriteLine(JsonSerializer.Serialize(new { took_ms = Took.ToArray() }));
        }
    }
}
