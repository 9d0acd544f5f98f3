// SPDX-License-Identifier: GPL-2.0-only
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;

namespace Shop;

internal sealed record Order(int Number, int Customer, IReadOnlyList<CartLine> Lines, decimal Total);

internal sealed record Confirmation(int Order, decimal Total);

internal sealed class Checkout(Carts carts, Stock stock, PaymentClient payments, Receipts receipts, Mailer mailer)
{
    private int _last;

    public Task<IResult> Handle(int customer)
    {
        Cart cart = carts.Take(customer);
        Order order = new(Interlocked.Increment(ref _last), customer, cart.Lines, cart.Total);
        return Incidents.On(Incident.SyncOverAsync) ? Task.FromResult(Pay(order)) : PayAsync(order);
    }

    private IResult Pay(Order order)
    {
        bool paid = payments.ChargeAsync(order).Result;
        return Finish(order, paid);
    }

    private async Task<IResult> PayAsync(Order order)
    {
        bool paid = await payments.ChargeAsync(order);
        return Finish(order, paid);
    }

    private IResult Finish(Order order, bool paid)
    {
        if (!paid)
            return Results.StatusCode(StatusCodes.Status402PaymentRequired);
        stock.Book(order);
        receipts.Print(order);
        mailer.Confirm(order);
        return Results.Json(new Confirmation(order.Number, order.Total));
    }
}
