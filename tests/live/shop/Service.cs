// SPDX-License-Identifier: GPL-2.0-only
using System;
using System.Linq;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Shop;

/// <summary>The shop as a web service; its main thread takes what is said to it on standard input, whatever becomes of the thread pool.</summary>
internal static class Service
{
    public static int Run(Uri payments)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Services.AddSingleton(new PaymentClient(payments));
        builder.Services.AddSingleton<PriceRules>().AddSingleton<Recommendations>().AddSingleton<Catalogue>().AddSingleton<Pictures>().AddSingleton<Search>();
        builder.Services.AddSingleton<Ledger>().AddSingleton<Shelf>().AddSingleton<Stock>().AddSingleton<Carts>();
        builder.Services.AddSingleton<Receipts>().AddSingleton<Mailer>().AddSingleton<Checkout>().AddSingleton<SalesReport>();
        WebApplication app = builder.Build();
        Map(app);
        app.Services.GetRequiredService<Stock>().ExpectDeliveries();
        app.Start();
        Console.WriteLine($"{{\"ready\":true,\"pid\":{Environment.ProcessId},\"url\":\"{app.Urls.First()}\"}}");
        while (Console.ReadLine() is { } line && line != "quit")
            Console.WriteLine(Do(line.Split(' ')));
        return 0;
    }

    private static void Map(WebApplication app)
    {
        app.MapGet("/catalogue/{page:int}", app.Services.GetRequiredService<Catalogue>().Page);
        app.MapGet("/pictures/{id:int}", app.Services.GetRequiredService<Pictures>().Show);
        app.MapGet("/search", app.Services.GetRequiredService<Search>().Find);
        app.MapPost("/carts/{customer:int}/{product:int}", app.Services.GetRequiredService<Carts>().Add);
        app.MapPost("/checkout/{customer:int}", app.Services.GetRequiredService<Checkout>().Handle);
        app.MapGet("/reports/sales", app.Services.GetRequiredService<SalesReport>().Show);
    }

    private static string Do(string[] words) => words switch
    {
        ["begin", string name] when Incidents.Set(name, true) => "{\"cmd\":\"begin\"}",
        ["end", string name] when Incidents.Set(name, false) => "{\"cmd\":\"end\"}",
        _ => "{\"error\":\"no such command or incident\"}",
    };
}
