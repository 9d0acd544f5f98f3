// SPDX-License-Identifier: GPL-2.0-only
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;

namespace Shop;

/// <summary>Writes to who has bought something, twice a second.</summary>
internal sealed class Mailer : IDisposable
{
    private const int EveryMs = 500;
    private readonly ConcurrentQueue<Order> _orders = new();
    private readonly Timer _timer;

    public Mailer() => _timer = new Timer(_ => SendAll(), null, EveryMs, EveryMs);

    public void Confirm(Order order) => _orders.Enqueue(order);

    public void Dispose() => _timer.Dispose();

    private void SendAll()
    {
        while (_orders.TryDequeue(out Order? order))
            Send(order, AddressOf(order.Customer));
    }

    private static string? AddressOf(int customer) => Incidents.On(Incident.Crash) ? null : $"customer{customer}@example.org";

    private static void Send(Order order, string? address)
    {
        if (address is null)
            throw new InvalidOperationException($"the order {order.Number} has no address", new KeyNotFoundException($"customer {order.Customer}"));
    }
}
