// SPDX-License-Identifier: GPL-2.0-only
using System;
using System.Threading;

namespace Shop;

/// <summary>Every movement of goods. It is written to a disk that is slow, by whoever holds it; what is only noted is written at night.</summary>
internal sealed class Ledger
{
    private const int DiskMs = 25;
    private long _written, _noted;

    public long Entries => _written + _noted;

    public void Note() => Interlocked.Increment(ref _noted);

    public void Write()
    {
        Thread.Sleep(DiskMs);
        _written++;
    }
}

/// <summary>How much there is of each product. Who looks at it holds it.</summary>
internal sealed class Shelf
{
    private const int Products = 2000;
    private readonly int[] _pieces = new int[Products];

    public bool Take(int product) => --_pieces[(uint)product % Products] >= 0;

    public void Fill() => Array.Fill(_pieces, 1000);
}

internal sealed class Stock(Shelf shelf, Ledger ledger)
{
    private const int DeliveriesMs = 100, CountMs = 1;

    /// <summary>A piece for a cart. Who writes it down here makes everybody wait for the disk.</summary>
    public bool Reserve(int product)
    {
        lock (shelf)
        {
            bool taken = shelf.Take(product);
            if (Incidents.On(Incident.LockConvoy))
                WriteDown();
            else
                ledger.Note();
            return taken;
        }
    }

    /// <summary>What was paid leaves the shop. Who begins with the ledger takes the two the other way round than a delivery does.</summary>
    public void Book(Order order)
    {
        if (!Incidents.On(Incident.Deadlock))
        {
            Leave(order);
            return;
        }
        lock (ledger)
        {
            ledger.Write();
            Leave(order);
        }
    }

    /// <summary>Goods come ten times a second.</summary>
    public void ExpectDeliveries() => new Thread(TakeDeliveries) { Name = "deliveries", IsBackground = true }.Start();

    private void Leave(Order order)
    {
        lock (shelf)
            foreach (CartLine line in order.Lines)
                shelf.Take(line.Product);
        ledger.Note();
    }

    private void WriteDown()
    {
        lock (ledger)
            ledger.Write();
    }

    private void TakeDeliveries()
    {
        for (;; Thread.Sleep(DeliveriesMs))
            Deliver();
    }

    private void Deliver()
    {
        lock (shelf)
        {
            shelf.Fill();
            if (!Incidents.On(Incident.Deadlock))
                return;
            Thread.Sleep(CountMs);
            WriteDown();
        }
    }
}
