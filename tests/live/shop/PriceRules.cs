// SPDX-License-Identifier: GPL-2.0-only
using System;
using System.Linq;
using System.Linq.Expressions;

namespace Shop;

internal sealed record Rule(int Least, decimal Percent);

/// <summary>What is cheaper, and when; the people of sales write the rules, so they are compiled.</summary>
internal sealed class PriceRules
{
    private static readonly Rule[] Rules = [new(1, 1.5m), new(10, 5)];
    private readonly Func<decimal, int, decimal>[] _compiled = [.. Rules.Select(Compile)];

    public decimal Price(Product product, int count)
    {
        decimal price = product.Price;
        for (int i = 0; i < Rules.Length; i++)
        {
            Func<decimal, int, decimal> rule = Incidents.On(Incident.CompilePerRequest) ? Compile(Rules[i]) : _compiled[i];
            price = rule(price, count);
        }
        return decimal.Round(price, 2);
    }

    private static Func<decimal, int, decimal> Compile(Rule rule)
    {
        ParameterExpression price = Expression.Parameter(typeof(decimal), "price"), count = Expression.Parameter(typeof(int), "count");
        Expression applies = Expression.GreaterThanOrEqual(count, Expression.Constant(rule.Least));
        Expression reduced = Expression.Multiply(price, Expression.Constant(1 - rule.Percent / 100));
        return Expression.Lambda<Func<decimal, int, decimal>>(Expression.Condition(applies, reduced, price), price, count).Compile();
    }
}
