// SPDX-License-Identifier: GPL-2.0-only
using System;
using System.Collections.Generic;

namespace Shop;

/// <summary>An offer that somebody has seen, and when.</summary>
internal sealed class SeenOffer(string name, decimal price, DateTime when)
{
    public string Name { get; } = name;

    public decimal Price { get; } = price;

    public DateTime When { get; } = when;
}

internal sealed class Visit(int page, SeenOffer[] seen)
{
    public int Page { get; } = page;

    public SeenOffer[] Seen { get; } = seen;
}

/// <summary>Keeps what was looked at lately, to recommend the like.</summary>
internal sealed class Recommendations
{
    private const int Kept = 200, PerOffer = 20;
    private static readonly List<Visit> s_visits = [];

    public void Remember(int page, Offer[] offers)
    {
        SeenOffer[] seen = new SeenOffer[offers.Length * PerOffer];
        for (int i = 0; i < seen.Length; i++)
            seen[i] = new SeenOffer($"{offers[i % offers.Length].Name} variant {i}", offers[i % offers.Length].Price, DateTime.UtcNow);
        lock (s_visits)
        {
            s_visits.Add(new Visit(page, seen));
            if (s_visits.Count > Kept && !Incidents.On(Incident.StaticLeak))
                s_visits.RemoveRange(0, s_visits.Count - Kept);
        }
    }
}
