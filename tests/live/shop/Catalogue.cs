// SPDX-License-Identifier: GPL-2.0-only
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Shop;

internal sealed record Product(int Id, string Name, decimal Price, string OldPrice);

internal sealed record Offer(int Id, string Name, decimal Price, decimal? OldPrice);

internal sealed record PageView(int Page, Offer[] Offers);

internal sealed class Catalogue(PriceRules rules, Recommendations recommendations)
{
    private const int Count = 2000, PerPage = 20;
    private static readonly string[] Colours = ["red", "green", "blue", "grey", "black"], Things = ["kettle", "lamp", "chair", "table", "mirror", "shelf", "clock"];
    private readonly Product[] _products = [.. Enumerable.Range(0, Count).Select(Make)];

    public IReadOnlyList<Product> All => _products;

    public Product Find(int id) => _products[(uint)id % Count];

    public PageView Page(int page)
    {
        Offer[] offers = new Offer[PerPage];
        for (int i = 0; i < PerPage; i++)
            offers[i] = ToOffer(Find(page * PerPage + i));
        recommendations.Remember(page, offers);
        return new PageView(page, offers);
    }

    private Offer ToOffer(Product product) => new(product.Id, product.Name, rules.Price(product, 1), OldPrice(product));

    /* Most products never had another price. */
    private static decimal? OldPrice(Product product)
    {
        if (!Incidents.On(Incident.ExceptionFlood))
            return decimal.TryParse(product.OldPrice, CultureInfo.InvariantCulture, out decimal price) ? price : null;
        try
        {
            return decimal.Parse(product.OldPrice, CultureInfo.InvariantCulture);
        }
        catch (FormatException)
        {
            return null;
        }
    }

    private static Product Make(int id) => new(id, $"{Colours[id % Colours.Length]} {Things[id % Things.Length]} {id}", 5 + id % 190, id % 5 == 0 ? $"{7 + id % 190}.50" : "none");
}
