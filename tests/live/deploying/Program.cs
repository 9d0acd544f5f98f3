// SPDX-License-Identifier: GPL-2.0-only
// A service with a steady load, as uneven as services are: each request takes more or less, for moments they are of another sort, now and then there is a report. All of that goes by requests, not by the clock: where the
// machine has no time for it, there is less of everything. From a word on one of its methods takes more for each request: `slower 1.2`; `carts 3`: from then on carts are filled, with three times as many lines as usual, and
// three times as many of them are refused. The answer says of how many turns discounts were since the last one, and all.
using System;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Deploying;

static class Work
{
    public static long Discounted, All;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ulong Parse(int turns)
    {
        ulong sum = 1;
        for (int i = 0; i < turns; i++)
            sum = sum * 6364136223846793005 + 1442695040888963407;
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ulong Price(int turns)
    {
        ulong sum = 2;
        for (int i = 0; i < turns; i++)
            sum = sum * 2862933555777941757 + 3037000493;
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ulong Discount(int turns)
    {
        ulong sum = 3;
        for (int i = 0; i < turns; i++)
            sum = sum * 3935559000370003845 + 2691343689449507681;
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ulong Render(int turns)
    {
        ulong sum = 4;
        for (int i = 0; i < turns; i++)
            sum = sum * 4768777513237032717 + 1;
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ulong Import(int turns)
    {
        ulong sum = 5;
        for (int i = 0; i < turns; i++)
            sum = sum * 1181783497276652981 + 7;
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ulong Report(int turns)
    {
        ulong sum = 6;
        for (int i = 0; i < turns; i++)
            sum = sum * 7664345821815920749 + 3;
        return sum;
    }
}

static class Program
{
    static double s_slower = 1;
    static ulong s_sum;

    /// <summary>A sixth of it is discounts, which with the other sorts of work are more than a tenth of all.</summary>
    static void Serve(double size)
    {
        int discount = (int)(size * 0.17 * s_slower);
        s_sum += Work.Parse((int)(size * 0.27)) + Work.Price((int)(size * 0.33)) + Work.Discount(discount) + Work.Render((int)(size * 0.23));
        Interlocked.Add(ref Work.Discounted, discount);
        Interlocked.Add(ref Work.All, (int)(size * 0.83) + discount);
    }

    static void Import(double size)
    {
        s_sum += Work.Import((int)(size * 0.7)) + Work.Parse((int)(size * 0.3));
        Interlocked.Add(ref Work.All, (int)size);
    }

    static void Report(int turns)
    {
        s_sum += Work.Report(turns);
        Interlocked.Add(ref Work.All, turns);
    }

    /// <summary>The next one: for a moment they are of another sort, and one in some thousand is a report.</summary>
    static void Next(Random random, int mean, ref int others)
    {
        double size = -Math.Log(1 - random.NextDouble()) * mean;
        if (--others < -300 + random.Next(200))
            others = random.Next(20, 80);
        if (random.Next(3000) == 0)
            Report(mean * 60);
        else if (others > 0)
            Import(size);
        else
            Serve(size);
    }

    /// <summary>So many requests in a second, each of so many turns on average, whatever they take.</summary>
    static void ServeAll(int perSecond, int mean, int seed)
    {
        Random random = new(seed);
        int others = 0;
        long begin = Stopwatch.GetTimestamp();
        for (long number = 1; ; number++)
        {
            Next(random, mean, ref others);
            double ahead = (double)number / perSecond - Stopwatch.GetElapsedTime(begin).TotalSeconds;
            if (ahead > 0.002)
                Thread.Sleep((int)(ahead * 1000));
        }
    }

    /// <summary>Turns that take so many microseconds, once the code is what it stays.</summary>
    static int TurnsIn(double microseconds)
    {
        const int Turns = 2_000_000;
        double least = double.MaxValue;
        for (int i = 0; i < 60; i++)
        {
            long begin = Stopwatch.GetTimestamp();
            s_sum += Work.Parse(Turns) + Work.Price(Turns / 10) + Work.Discount(Turns / 10) + Work.Render(Turns / 10) + Work.Import(Turns / 10) + Work.Report(Turns / 10);
            least = Math.Min(least, Stopwatch.GetElapsedTime(begin).TotalMicroseconds / 1.5);
            Thread.Sleep(5);
        }
        return (int)(Turns * microseconds / least);
    }

    sealed class Cart;
    sealed class Line;
    sealed class Note;
    sealed class Price;
    sealed class Rebate;
    sealed class RefusedException : Exception;

    static double s_carts;
    static object? s_last;

    /// <summary>A hundred carts in a second, whose parts are five arrays; of each fifth one is refused as often as is asked for.</summary>
    static void FillCarts()
    {
        const int Size = 8000;
        long begin = Stopwatch.GetTimestamp();
        for (long number = 1; ; number++)
        {
            double factor = s_carts;
            s_last = new Cart[Size];
            s_last = new Note[Size];
            s_last = new Price[Size];
            s_last = new Rebate[Size];
            for (int i = 0; i < factor; i++)
                s_last = new Line[Size];
            for (int i = 0; i < factor && number % 5 == 0; i++)
                Refuse();
            double ahead = number / 100.0 - Stopwatch.GetElapsedTime(begin).TotalSeconds;
            if (ahead > 0.002)
                Thread.Sleep((int)(ahead * 1000));
        }
    }

    static void Refuse()
    {
        try
        {
            throw new RefusedException();
        }
        catch (RefusedException)
        {
        }
    }

    static void Start(ThreadStart start, string name) => new Thread(start) { IsBackground = true, Name = name }.Start();

    static void Main()
    {
        int mean = TurnsIn(1800);
        Start(() => ServeAll(200, mean, 1), "serve-1");
        Start(() => ServeAll(200, mean, 2), "serve-2");
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{{\"ready\":true,\"pid\":{Environment.ProcessId},\"turns\":{mean}}}"));
        while (Console.ReadLine() is { } line)
        {
            string[] words = line.Split(' ');
            if (words[0] == "slower")
                s_slower = double.Parse(words[1], CultureInfo.InvariantCulture);
            if (words[0] == "carts")
            {
                bool first = s_carts == 0;
                s_carts = double.Parse(words[1], CultureInfo.InvariantCulture);
                if (first)
                    Start(FillCarts, "carts");
            }
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"{{\"cmd\":\"{words[0]}\",\"discounted\":{Interlocked.Exchange(ref Work.Discounted, 0)},\"all\":{Interlocked.Exchange(ref Work.All, 0)}}}"));
        }
    }
}
