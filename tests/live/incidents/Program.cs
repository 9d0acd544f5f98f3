// SPDX-License-Identifier: GPL-2.0-only
// What goes wrong in production, as people write it: the tests of findings watch it. One incident a run, named by the first argument; it begins at the first
// line of standard input and goes on until the process is told to end.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq.Expressions;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

internal static class Incidents
{
    private static readonly List<byte[]> s_kept = new();
    private static readonly List<Stream> s_files = new();
    private static byte[]? s_buffer;
    private static long s_made;
    private static readonly object s_orders = new(), s_stock = new();
#if NET9_0_OR_GREATER
    private static readonly Lock s_orderLock = new(), s_stockLock = new();
#endif

    private sealed class Orders
    {
    }

    private sealed class Stock
    {
    }

    private sealed class Ledger
    {
    }

    private sealed class Receipt
    {
        public readonly byte[] Lines = new byte[80_000];

        ~Receipt() => Thread.Sleep(50);
    }

    private static int Main(string[] args)
    {
        Console.WriteLine($"{{\"ready\":true,\"pid\":{Environment.ProcessId}}}");
        Console.In.ReadLine();
        switch (args[0])
        {
            case "result": // sync over async
                Requests(() => _ = Answer().Result, 25);
                break;
            case "sleep": // a blocking call that the runtime knows nothing of
                Requests(() => Thread.Sleep(1000), 25);
                break;
            case "light": // a pool that has little to do
                Requests(() => Thread.SpinWait(20_000), 40);
                break;
            case "pause": // a large heap of small objects, collected as a whole
                Pause();
                break;
            case "grow":
                Grow();
                break;
            case "leak-static": // a static list of what was made, to which a megabyte comes in a second
                LeakStatic();
                break;
            case "threads": // a thread a second, none of which ever ends
                Every(1, () => new Thread(Listen) { Name = "feed", IsBackground = true }.Start());
                break;
            case "descriptors": // three files a second, none of which is ever closed
                Every(3, () => s_files.Add(File.OpenRead(typeof(Incidents).Assembly.Location)));
                break;
            case "modest": // a little of everything: where the CPU is there for it, nothing is wrong
                Modest();
                break;
            case "churn": // a large buffer for each message, none of which is kept, beside a catalogue of small objects
                Churn();
                break;
            case "compile": // a rule is compiled for each order that it is asked of
                Every(400, () => s_made += Discount((int)s_made));
                break;
            case "finalizer": // the receipts of a second take their finalizers two and a half to write
                Every(50, () => s_buffer = new Receipt().Lines);
                break;
            case "instances": // one generic method, for numbers and for texts
                Instances();
                break;
            case "compute":
                Parallel.For(0, 1 << 30, Work);
                break;
            case "deadlock":
                Deadlock();
                break;
            case "deadlock-three": // a circle of three, each of whom has an object of another class
                DeadlockOfThree(new Orders(), new Stock(), new Ledger());
                break;
#if NET9_0_OR_GREATER
            case "deadlock-lock": // of two, with System.Threading.Lock
                new Thread(() => ShipLocked(s_orderLock, s_stockLock)) { Name = "orders" }.Start();
                new Thread(() => ShipLocked(s_stockLock, s_orderLock)) { Name = "stock" }.Start();
                break;
#endif
            case "crash":
                throw new InvalidOperationException("the order 4711 has no customer", new KeyNotFoundException("customer 17"));
            case "crash-thread":
                new Thread(() => Ship(4712)) { Name = "shipper" }.Start();
                break;
            case "crash-pool":
                ThreadPool.QueueUserWorkItem(_ => Ship(4713));
                break;
            case "crash-long": // a message longer than most buffers
                throw new InvalidOperationException("the order " + new string('x', 3000) + " is long");
            case "crash-longer":
                throw new InvalidOperationException("the order " + new string('x', 10_000) + " is long");
            case "crash-silent":
                throw new Silent();
            case "crash-logged": // another one was caught, and written to the log, just before
                try
                {
                    Ship(4714);
                }
                catch (InvalidOperationException e)
                {
                    Console.Error.WriteLine(e.ToString());
                }
                Environment.FailFast("the ledger is broken");
                break;
            case "failfast":
                Environment.FailFast("the ledger is broken");
                break;
            case "failfast-silent":
                Environment.FailFast(null);
                break;
            case "failfast-long":
                Environment.FailFast(new string('x', 10_000));
                break;
            case "overflow":
                Console.WriteLine(Deep(1));
                break;
            case "overflow-three": // three methods that call each other, on a thread of its own with a small stack, after a second in which they did as they should
                new Thread(() => Console.WriteLine(ParseAll(1000)), 1 << 20) { Name = "parser" }.Start();
                break;
            case "overflow-lean": // a method that needs no frame pointer, once it is optimized
                Console.WriteLine(Lean(1));
                break;
            case "exit":
                return 3;
        }
        Thread.Sleep(Timeout.Infinite);
        return 0;
    }

    private sealed class Silent : Exception
    {
        public override string Message => null!;
    }

    private static void Ship(int order)
    {
        throw new InvalidOperationException($"the order {order} has no customer");
    }

    private static int Deep(int n) => Deep(n + 1) + Deep(n + 2);

    private static long ParseAll(int ms)
    {
        long sum = 0;
        for (var clock = Stopwatch.StartNew(); clock.ElapsedMilliseconds < ms;)
            sum += Parse(30);
        return sum + Parse(int.MaxValue);
    }

    // Not optimized, they keep their frames.
    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.NoOptimization)]
    private static int Parse(int n) => n < 0 ? 0 : Term(n - 1) + 1;

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.NoOptimization)]
    private static int Term(int n) => n < 0 ? 0 : Factor(n - 1) + 1;

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.NoOptimization)]
    private static int Factor(int n) => n < 0 ? 0 : Parse(n - 1) + 1;

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static int Lean(int n) => 1 + Lean(n + 1);

    private static async Task<int> Answer()
    {
        await Task.Delay(1000);
        return 42;
    }

    private static void Requests(Action handle, int everyMs)
    {
        for (;;)
        {
            ThreadPool.QueueUserWorkItem(_ => handle());
            Thread.Sleep(everyMs);
        }
    }

    private static void Grow()
    {
        for (int i = 0;; i++)
        {
            byte[] made = new byte[20_000];
            if (i % 4 == 0)
                s_kept.Add(made);
            if (i % 64 == 0)
                Thread.Sleep(25);
        }
    }

    /* So many times a second, whatever the machine is busy with. */
    private static void Every(double perSecond, Action act)
    {
        var clock = Stopwatch.StartNew();
        for (long done = 0;; Thread.Sleep(20))
            for (; done < clock.Elapsed.TotalSeconds * perSecond; done++)
                act();
    }

    private static void Churn()
    {
        var catalogue = new string[2_000_000];
        for (int i = 0; i < catalogue.Length; i++)
            catalogue[i] = new string('a', i % 7 + 1);
        Every(400, () => s_buffer = new byte[1_000_000]);
        GC.KeepAlive(catalogue);
    }

    private static int Discount(int order)
    {
        ParameterExpression number = Expression.Parameter(typeof(int), "number");
        return Expression.Lambda<Func<int, int>>(Expression.Modulo(number, Expression.Constant(order % 7 + 2)), number).Compile()(order);
    }

    private static void LeakStatic()
    {
        Every(1000, () =>
        {
            byte[] made = new byte[10_000];
            if (++s_made % 10 == 0)
                s_kept.Add(made);
        });
    }

    private static void Listen()
    {
        for (;;)
            Thread.Sleep(Timeout.Infinite);
    }

    private static void Instances()
    {
        new Thread(() => Spin(0.5)).Start();
        new Thread(() => Spin("five")).Start();
        Spin(5);
    }

    private static long Spin<T>(T value)
    {
        EqualityComparer<T> comparer = EqualityComparer<T>.Default;
        long equal = 0;
        for (;;)
            equal += comparer.GetHashCode(value!) + 1;
    }

    /* A line when a collection begins and one when it is over. */
    private static void Pause()
    {
        const int Count = 12_000_000;
        var made = new Order[Count];
        for (int i = 0; i < Count; i++)
            made[i] = new Order { Number = i };
        new Random(1).Shuffle(made); // each is far from the one before it: that is what marking waits for
        for (int i = 1; i < Count; i++)
            made[i].Next = made[i - 1];
        Order orders = made[Count - 1];
        made = Array.Empty<Order>();
        Console.WriteLine("collecting");
        GC.Collect(2, GCCollectionMode.Forced, true, true);
        Console.WriteLine("collected");
        Thread.Sleep(Timeout.Infinite);
        GC.KeepAlive(orders);
    }

    private sealed class Order
    {
        public Order? Next;
        public long Number;
    }

    /* A quarter of a CPU: some compilations, some computing, and every other second a collection of a few ms. */
    private static void Modest()
    {
        Order? orders = null;
        for (int i = 0; i < 300_000; i++)
            orders = new Order { Next = orders, Number = i };
        for (int i = 0;; i++)
        {
            for (int made = 0; made < 6; made++)
            {
                ParameterExpression number = Expression.Parameter(typeof(long));
                Expression.Lambda<Func<long, long>>(Expression.Add(number, Expression.Constant((long)i)), number).Compile()(made);
            }
            for (int seed = 0; seed < 5; seed++)
                Work(seed);
            s_kept.Add(new byte[50_000]);
            if (i % 40 == 39)
            {
                s_kept.Clear();
                GC.Collect();
            }
            Thread.Sleep(50);
            GC.KeepAlive(orders);
        }
    }

    private static void Work(int seed)
    {
        uint x = (uint)seed;
        for (int i = 0; i < 1_000_000; i++)
            x = x * 1664525 + 1013904223;
        if (x == 1)
            Console.WriteLine(x);
    }

    private static void Ship(object first, object second)
    {
        lock (first)
        {
            Thread.Sleep(500);
            lock (second)
                Console.WriteLine("shipped");
        }
    }

#if NET9_0_OR_GREATER
    private static void ShipLocked(Lock first, Lock second)
    {
        lock (first)
        {
            Thread.Sleep(500);
            lock (second)
                Console.WriteLine("shipped");
        }
    }
#endif

    private static void DeadlockOfThree(Orders orders, Stock stock, Ledger ledger)
    {
        new Thread(() => Ship(orders, stock)) { Name = "orders" }.Start();
        new Thread(() => Ship(stock, ledger)) { Name = "stock" }.Start();
        new Thread(() => Ship(ledger, orders)) { Name = "ledger" }.Start();
    }

    private static void Deadlock()
    {
        new Thread(() => Ship(s_orders, s_stock)) { Name = "orders" }.Start();
        new Thread(() => Ship(s_stock, s_orders)) { Name = "stock" }.Start();
    }
}
