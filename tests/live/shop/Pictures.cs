// SPDX-License-Identifier: GPL-2.0-only
using System.Linq;
using Microsoft.AspNetCore.Http;

namespace Shop;

/// <summary>Thumbnails, which are made once. Without that a photograph is decoded for each request: 12 MB.</summary>
internal sealed class Pictures
{
    private const int Width = 2048, Height = 1536, Bytes = 4, Step = 32, Count = 16;
    private readonly byte[][] _thumbnails = [.. Enumerable.Range(0, Count).Select(id => Shrink(Decode(id)))];

    public IResult Show(int id)
    {
        byte[] thumbnail = Incidents.On(Incident.LohChurn) ? Shrink(Decode(id)) : _thumbnails[(uint)id % Count];
        return Results.Bytes(thumbnail, "image/x-portable-pixmap");
    }

    private static byte[] Decode(int id)
    {
        byte[] pixels = new byte[Width * Height * Bytes];
        for (int at = 0; at < pixels.Length; at += Bytes)
            pixels[at] = (byte)(at * id);
        return pixels;
    }

    private static byte[] Shrink(byte[] pixels)
    {
        byte[] small = new byte[Width / Step * (Height / Step) * Bytes];
        for (int at = 0; at < small.Length; at++)
            small[at] = pixels[(long)at * Step * Step % pixels.Length];
        return small;
    }
}
