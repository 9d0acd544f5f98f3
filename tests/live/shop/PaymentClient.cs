// SPDX-License-Identifier: GPL-2.0-only
using System;
using System.Net.Http;
using System.Threading.Tasks;

namespace Shop;

/// <summary>The payment provider, which is another company's.</summary>
internal sealed class PaymentClient
{
    private readonly Uri _provider;
    private readonly HttpClient _client;

    public PaymentClient(Uri provider)
    {
        _provider = provider;
        _client = Connect();
    }

    public async Task<bool> ChargeAsync(Order order)
    {
        HttpClient client = Incidents.On(Incident.ConnectionPerRequest) ? Connect() : _client;
        using HttpResponseMessage answer = await client.PostAsync($"/charge/{decimal.ToInt64(order.Total * 100)}", null);
        return answer.IsSuccessStatusCode;
    }

    private HttpClient Connect() => new() { BaseAddress = _provider };
}
