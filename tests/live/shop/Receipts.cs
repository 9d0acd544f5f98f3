// SPDX-License-Identifier: GPL-2.0-only
using System;
using System.Threading;

namespace Shop;

/// <summary>A receipt on its way to the printer, which somebody must close.</summary>
internal sealed class PrintJob(Order order) : IDisposable
{
    private const int PageBytes = 50_000, PrinterMs = 200;
    private readonly byte[] _page = new byte[PageBytes];

    public void Print() => _page[0] = (byte)order.Number;

    public void Dispose() => GC.SuppressFinalize(this);

    /* The printer is asked whether it is done. */
    ~PrintJob() => Thread.Sleep(PrinterMs);
}

internal sealed class Receipts
{
    public void Print(Order order)
    {
        PrintJob job = new(order);
        job.Print();
        if (!Incidents.On(Incident.FinalizerBacklog))
            job.Dispose();
    }
}
