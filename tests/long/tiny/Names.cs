// SPDX-License-Identifier: GPL-2.0-only
// Methods of all sorts, each of which does its share of the work itself: what they are called is what a profiler is to say.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading.Tasks;

class Outside
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Global() => Work.Do(1);
}

static class Work
{
    static long sum;

    /// <summary>The number makes each caller's code another one: methods whose code is the same may become one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Do(int number)
    {
        for (int i = 0; i < 2_000_000; i++)
            sum += i ^ (sum >> 3) ^ number;
    }
}

namespace Shop_Floor.Goods
{
    interface ICounted
    {
        void Count(int times);
    }

    class Under_Score : ICounted
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void Sum_All() => Work.Do(2);

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void __Two__() => Work.Do(3);

        [MethodImpl(MethodImplOptions.NoInlining)]
        void ICounted.Count(int times) => Work.Do(4);

        public class Nested_One
        {
            [MethodImpl(MethodImplOptions.NoInlining)]
            public Nested_One() => Work.Do(5);

            [MethodImpl(MethodImplOptions.NoInlining)]
            public void Price(string text) => Work.Do(6);

            [MethodImpl(MethodImplOptions.NoInlining)]
            public void Price(long number, ref int[] counts) => Work.Do(7);
        }
    }

    class Box<TItem>
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public void Put(TItem item) => Work.Do(8);

        [MethodImpl(MethodImplOptions.NoInlining)]
        public void Map<TOther>(TItem item, TOther other) => Work.Do(9);

        public class Lid<TKey>
        {
            [MethodImpl(MethodImplOptions.NoInlining)]
            public void Shut(TItem item, TKey key) => Work.Do(10);
        }
    }

    static class Cart
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void Many<TOne, TTwo>(TOne one, List<TTwo> two) => Work.Do(11);

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static async Task TotalAsync(int n)
        {
            await Task.Yield();
            Work.Do(12);
        }

        public static IEnumerable<int> Rows()
        {
            Work.Do(13);
            yield return 1;
        }

        public static Action Lambda(int n) => () =>
        {
            Work.Do(14);
            GC.KeepAlive(n);
        };

        public static Func<Task> AsyncLambda() => async () =>
        {
            await Task.Yield();
            Work.Do(15);
        };

        public static void Outer()
        {
            Local(1);

            [MethodImpl(MethodImplOptions.NoInlining)]
            static void Local(int n) => Work.Do(16);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void Größe(object any) => Work.Do(17);
    }

    static class Careful
    {
        /// <summary>Its work is in the handler, which is a function of its own.</summary>
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void Handle(object? nothing)
        {
            try
            {
                nothing!.ToString();
            }
            catch (NullReferenceException)
            {
                Work.Do(101);
            }
        }
    }

    /// <summary>What reflection finds has its name in another table.</summary>
    class Reflected
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void Found(int n) => Work.Do(18);
    }

    static class Names
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void CallAll(int milliseconds)
        {
            int[] counts = new int[1];
            var reflected = typeof(Reflected).GetMethod("Found")!;
            var clock = Stopwatch.StartNew();
            while (clock.ElapsedMilliseconds < milliseconds)
            {
                Outside.Global();
                Under_Score.Sum_All();
                Under_Score.__Two__();
                ((ICounted)new Under_Score()).Count(1);
                var nested = new Under_Score.Nested_One();
                nested.Price("x");
                nested.Price(1, ref counts);
                new Box<string>().Put("x");
                new Box<int>().Map(1, "x");
                new Box<string>.Lid<int>().Shut("x", 1);
                Cart.Many(1, new List<string>());
                Cart.TotalAsync(1).Wait();
                foreach (int row in Cart.Rows())
                    counts[0] = row;
                Cart.Lambda(1)();
                Cart.AsyncLambda()().Wait();
                Cart.Outer();
                Cart.Größe(clock);
                Careful.Handle(null);
                reflected.Invoke(null, new object[] { 1 });
            }
        }
    }
}

/// <summary>Two functions with one signature, which must be converted: the runtime makes a stub for that.</summary>
static class Native
{
    [DllImport("libc", EntryPoint = "unlink")]
    static extern int Remove(string path);

    [DllImport("libc", EntryPoint = "rmdir")]
    static extern int RemoveFolder(string path);

    public static void CallBoth()
    {
        Remove("/nowhere/at-all");
        RemoveFolder("/nowhere/at-all");
    }
}
