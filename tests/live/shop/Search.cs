// SPDX-License-Identifier: GPL-2.0-only
using System;
using System.Linq;
using System.Text.RegularExpressions;

namespace Shop;

internal sealed class Search(Catalogue catalogue)
{
    private const int Shown = 20;
    private static readonly Regex Plain = new(@"^[\w ]{1,80}$");
    // Where what follows the words is none, each further letter doubles the ways in which they may be cut.
    private static readonly Regex Words = new(@"^(\w+\s?)+$");

    public Product[] Find(string q) => IsValid(q) ? [.. catalogue.All.Where(product => product.Name.Contains(q, StringComparison.OrdinalIgnoreCase)).Take(Shown)] : [];

    private static bool IsValid(string query) => (Incidents.On(Incident.CatastrophicRegex) ? Words : Plain).IsMatch(query);
}
