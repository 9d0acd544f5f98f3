// SPDX-License-Identifier: GPL-2.0-only
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using Microsoft.AspNetCore.Http;

namespace Shop;

internal sealed record Sales(int Orders, decimal Total);

/// <summary>What was sold last year: two numbers, or all of it.</summary>
internal sealed class SalesReport
{
    private const int Orders = 40_000, Lines = 4;
    private readonly List<Order> _orders = [.. Enumerable.Range(0, Orders).Select(Make)];
    private readonly Sales _sales;

    public SalesReport() => _sales = new Sales(Orders, _orders.Sum(order => order.Total));

    public IResult Show() => Incidents.On(Incident.HeavySerialization) ? Results.Text(Export(), "application/json") : Results.Json(_sales);

    private string Export()
    {
        List<Order> sold = [.. _orders.Where(order => order.Total > 0)];
        sold.Sort((a, b) => a.Customer != b.Customer ? a.Customer.CompareTo(b.Customer) : a.Number.CompareTo(b.Number));
        return JsonSerializer.Serialize(sold);
    }

    private static Order Make(int number)
    {
        CartLine[] lines = [.. Enumerable.Range(0, Lines).Select(i => new CartLine(number * Lines + i, 5 + (number + i) % 190))];
        return new Order(number, number % 700, lines, lines.Sum(line => line.Price));
    }
}
