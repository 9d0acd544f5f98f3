// SPDX-License-Identifier: GPL-2.0-only
// Objects of many kinds, each as often as the program says itself. It allocates when it is told to, and not otherwise.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Holding;

sealed class Customer(int id)
{
    public readonly int Id = id;
}

sealed class Order(int id, Customer customer)
{
    public readonly Customer Customer = customer;
    public readonly Item[] Items = [new(id), new(id + 1), new(id + 2)];
    public long Total = id;
}

sealed class Item(int price)
{
    public int Price = price;
}

sealed class Box<T>(T value)
{
    public T Value = value;

    public sealed class Lid
    {
        public int Size;
    }
}

struct Point(double x, double y)
{
    public double X = x, Y = y;
}

static class Warehouse
{
    public static readonly List<Order> s_orders = [];
    public static readonly Dictionary<string, Order> s_byName = [];
    public static readonly List<Box<int>> s_boxes = [];
    public static readonly List<Box<string>.Lid> s_lids = [];
    public static readonly List<object> s_others = [];

    public static void Grow(int count)
    {
        s_orders.EnsureCapacity(s_orders.Count + count);
        for (int i = 0; i < count; i++)
            s_orders.Add(new Order(i, new Customer(i)));
    }

    public static void Begin()
    {
        Grow(10_000);
        for (int i = 0; i < 1000; i++)
        {
            s_byName[$"order-{i:D6}"] = s_orders[i];
            s_boxes.Add(new Box<int>(i));
            s_lids.Add(new Box<string>.Lid { Size = i });
        }
        for (int i = 0; i < 10; i++)
        {
            s_others.Add(new byte[200_000]);      // large objects
            s_others.Add(new int[10, 20]);
            s_others.Add(new Point[] { new(i, i), new(1, 2) });
            s_others.Add(new int[3][]);
            s_others.Add(GC.AllocateArray<byte>(1000, pinned: true));
        }
    }
}

// A field of the same name in another class, and one in a class within a class.
static class Archive
{
    public static readonly List<Order> s_orders = [Warehouse.s_orders[1]];

    public static class Shelf
    {
        public static readonly Order s_first = s_orders[0];
    }
}

// One of each, by what keeps it alive.
sealed class ByField(int[] sizes)
{
    public readonly int[] Sizes = sizes;
}

sealed class ByThread;

sealed class ByHandle;

sealed class ByKey;

sealed class ByStack
{
    public ByNobody Own = new();
}

sealed class ByNobody;

sealed class ByFinalizer
{
    ~ByFinalizer() => Keeping.s_finalizing.Wait();
}

static class Store<T>
{
    public static readonly List<T> s_kept = [];
}

static class Keeping
{
    public static readonly ManualResetEventSlim s_finalizing = new();
    static readonly ConditionalWeakTable<Customer, ByKey> s_byKey = [];
    [ThreadStatic]
    static ByThread? t_own;
    static GCHandle s_handle;

    public static void Begin()
    {
        Store<ByField>.s_kept.Add(new ByField([1, 2, 3]));
        s_handle = GCHandle.Alloc(new ByHandle());
        s_byKey.Add(Warehouse.s_orders[5000].Customer, new ByKey());
        new Thread(Keep) { IsBackground = true }.Start();
        Leave();
        GC.Collect();
        s_kept.Wait();
    }

    // The finalizer of the first one waits, so the others are waited for.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Leave()
    {
        for (int i = 0; i < 3; i++)
            GC.KeepAlive(new ByFinalizer());
    }

    static readonly ManualResetEventSlim s_kept = new();

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Own() => t_own = new ByThread();

    // What other calls left on the stack is gone.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Wipe()
    {
        Span<byte> room = stackalloc byte[8192];
        room.Clear();
        GC.KeepAlive(room.ToArray());
    }

    static void Keep()
    {
        Own();
        Wipe();
        var own = new ByStack();
        s_kept.Set();
        Thread.Sleep(Timeout.Infinite);
        GC.KeepAlive(own);
    }
}

static class Program
{
    static void Say(string what) => Console.Out.Write(what + "\n");

    // For how long it has been stopped by collections since it began is the runtime's own word.
    static void Tell() => Say($$"""{"orders": {{Warehouse.s_orders.Count}}, "paused_ns": {{(long)GC.GetTotalPauseDuration().TotalNanoseconds}}, "ready": true}""");

    static void Main()
    {
        Warehouse.Begin();
        GC.KeepAlive(Archive.Shelf.s_first);
        Tell();
        while (Console.In.ReadLine() is string line)
        {
            if (line == "quit")
                return;
            if (line.StartsWith("grow ", StringComparison.Ordinal))
                Warehouse.Grow(int.Parse(line.AsSpan(5)));
            if (line == "watch")
                WatchTheClock();
            if (line == "keep") // one object of each sort of root
                Keeping.Begin();
            if (line == "gap") // the longest since this was asked last
            {
                Say($$"""{"gap_ns": {{LongestGap()}}}""");
                continue;
            }
            if (line == "collect") // as the look at the heap does: all of it, blocking
                GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: false);
            if (line.StartsWith("fill ", StringComparison.Ordinal)) // megabytes of small objects
                for (int i = int.Parse(line.AsSpan(5)) * 5000; i > 0; i--)
                    Warehouse.s_others.Add(new Order(i, Warehouse.s_orders[0].Customer));
            if (line.StartsWith("thread ", StringComparison.Ordinal)) // NAME BYTES: a thread that allocates, says how much, and waits
                Allocate(line.Split(' ')[1], long.Parse(line.Split(' ')[2]));
            else
                Tell();
        }
    }

    // A thread that looks at the clock each millisecond: what it does not see is when all stand still, or others have its CPU.
    static void WatchTheClock() => new Thread(() =>
    {
        for (long before = Stopwatch.GetTimestamp(); ;)
        {
            long now = Stopwatch.GetTimestamp(), gap = (long)Stopwatch.GetElapsedTime(before, now).TotalNanoseconds;
            if (gap > Volatile.Read(ref s_gap))
                Volatile.Write(ref s_gap, gap);
            before = now;
            Volatile.Write(ref s_looks, s_looks + 1);
            Thread.Sleep(1);
        }
    }) { Name = "clock", IsBackground = true }.Start();

    static long LongestGap()
    {
        // It has to have looked since: a gap is seen at its end.
        for (long looks = Volatile.Read(ref s_looks); Volatile.Read(ref s_looks) < looks + 2;)
            Thread.Sleep(1);
        return Interlocked.Exchange(ref s_gap, 0);
    }

    static void Allocate(string name, long bytes)
    {
        s_allocated = 0;
        new Thread(() =>
        {
            while (GC.GetAllocatedBytesForCurrentThread() < bytes)
            {
                s_newest = new byte[1000];
                s_newest = new byte[100_000]; // large objects are counted apart
            }
            Volatile.Write(ref s_allocated, GC.GetAllocatedBytesForCurrentThread());
            Thread.Sleep(Timeout.Infinite); // nothing is allocated any more
        }) { Name = name, IsBackground = true }.Start();
        while (Volatile.Read(ref s_allocated) == 0)
            Thread.Sleep(1);
        Say($$"""{"allocated": {{s_allocated}}}""");
    }

    static long s_allocated, s_gap, s_looks;
    static byte[]? s_newest;
}
