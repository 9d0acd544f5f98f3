// SPDX-License-Identifier: GPL-2.0-only
using System.Collections.Concurrent;
using System.Collections.Generic;

namespace Shop;

internal sealed record CartLine(int Product, decimal Price);

internal sealed record CartView(int Customer, int Lines, decimal Total);

internal sealed class Cart
{
    public List<CartLine> Lines { get; } = [];

    public decimal Total { get; set; }
}

internal sealed class Carts(Catalogue catalogue, PriceRules rules, Stock stock)
{
    private const int MostLines = 20;
    private readonly ConcurrentDictionary<int, Cart> _carts = new();

    public CartView Add(int customer, int product)
    {
        stock.Reserve(product);
        CartLine line = new(product, rules.Price(catalogue.Find(product), 1));
        Cart cart = _carts.GetOrAdd(customer, _ => new Cart());
        lock (cart)
        {
            if (cart.Lines.Count < MostLines)
            {
                cart.Lines.Add(line);
                cart.Total += line.Price;
            }
            return new CartView(customer, cart.Lines.Count, cart.Total);
        }
    }

    /// <summary>The customer goes to the checkout with it.</summary>
    public Cart Take(int customer) => _carts.TryRemove(customer, out Cart? cart) ? cart : new Cart();
}
