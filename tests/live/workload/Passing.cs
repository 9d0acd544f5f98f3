// SPDX-License-Identifier: GPL-2.0-only
// Two threads that do nothing but pass a byte to and fro: on one CPU each pass is two switches.
using System;
using System.Diagnostics;
using System.IO.Pipes;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Workload;

internal sealed class Passing : IDisposable
{
    private const byte Soon = 1, Later = 2;
    private const int LaterMicroseconds = 150;

    private readonly AnonymousPipeServerStream _there = new(PipeDirection.Out), _back = new(PipeDirection.Out);
    private readonly AnonymousPipeClientStream _thereEnd, _backEnd;

    private Passing()
    {
        _thereEnd = new(PipeDirection.In, _there.ClientSafePipeHandle);
        _backEnd = new(PipeDirection.In, _back.ClientSafePipeHandle);
    }

    public void Dispose()
    {
        _there.Dispose();
        _back.Dispose();
        _thereEnd.Dispose();
        _backEnd.Dispose();
    }

    /// <summary>Switches of all threads meanwhile.</summary>
    public static long Run(int count)
    {
        long before = Native.Switches();
        using var passing = new Passing();
        Thread other = passing.Answer(count);
        for (int i = 0; i < count; i++)
        {
            passing._there.WriteByte(Soon);
            _ = passing._backEnd.ReadByte();
        }
        other.Join();
        return Native.Switches() - before;
    }

    /// <summary>In turn from two places that lie on the stack alike: at one it is answered at once, at the other only after a while. How long each took, in ns.</summary>
    public static (long Soon, long Later) RunUnevenly(int count)
    {
        using var passing = new Passing();
        Thread other = passing.Answer(2 * count);
        long soon = 0, later = 0;
        for (int i = 0; i < count; i++)
        {
            long begin = Stopwatch.GetTimestamp();
            passing.AnsweredSoon();
            long middle = Stopwatch.GetTimestamp();
            passing.AnsweredLater();
            soon += middle - begin;
            later += Stopwatch.GetTimestamp() - middle;
        }
        other.Join();
        return (soon, later);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AnsweredSoon()
    {
        _there.WriteByte(Soon);
        _ = _backEnd.ReadByte();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AnsweredLater()
    {
        _there.WriteByte(Later);
        _ = _backEnd.ReadByte();
    }

    private Thread Answer(int count)
    {
        var thread = new Thread(() =>
        {
            for (int i = 0; i < count; i++)
            {
                var asked = (byte)_thereEnd.ReadByte();
                for (long begin = Stopwatch.GetTimestamp(); asked == Later && Stopwatch.GetElapsedTime(begin).TotalMicroseconds < LaterMicroseconds;)
                    Thread.SpinWait(1);
                _back.WriteByte(asked);
            }
        })
        { Name = "passing" };
        thread.Start();
        return thread;
    }
}
