// SPDX-License-Identifier: GPL-2.0-only
// Known methods cause compilations, each in another way. Of each command it tells how many its thread has compiled within the method in question, by the runtime's own count.
using System;
using System.Linq.Expressions;
using System.Reflection.Emit;
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;

namespace Compiling;

static class Count
{
    public static long Now => JitInfo.GetCompiledMethodCount(currentThread: true);
}

static class RuleEngine
{
    // An expression tree each time, as a rule that was read from a file.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static long Evaluate(int count)
    {
        long before = Count.Now;
        for (int i = 0; i < count; i++)
        {
            ParameterExpression price = Expression.Parameter(typeof(int));
            Func<int, int> rule = Expression.Lambda<Func<int, int>>(Expression.Add(price, Expression.Constant(i)), price).Compile();
            rule(i);
        }
        return Count.Now - before;
    }
}

static class Addresses
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static long Match(int count)
    {
        long before = Count.Now;
        for (int i = 0; i < count; i++)
            new Regex($"^a{i}[bc]+d$", RegexOptions.Compiled).IsMatch($"a{i}bcd");
        return Count.Now - before;
    }
}

static class Mapper
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static long Emit(int count)
    {
        long before = Count.Now;
        for (int i = 0; i < count; i++)
        {
            DynamicMethod map = new("Map", typeof(int), [typeof(int)], typeof(Mapper).Module);
            ILGenerator il = map.GetILGenerator();
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldc_I4, i);
            il.Emit(OpCodes.Add);
            il.Emit(OpCodes.Ret);
            map.CreateDelegate<Func<int, int>>()(i);
        }
        return Count.Now - before;
    }
}

static class Boxes
{
    record struct Nested<T>(T Value);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Size<T>() => Unsafe.SizeOf<T>();

    // Each instance over another value type is another method.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Fill<T>(int depth) => Size<T>() + (depth > 0 ? Fill<Nested<T>>(depth - 1) : 0);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static long Instantiate(int count)
    {
        long before = Count.Now;
        if (count > 0)
            Fill<byte>(count);
        return Count.Now - before;
    }
}

static class Orders
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Take(int i) => i + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Pay(int i) => i + 2;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Ship(int i) => i + 3;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static long Handle(int count)
    {
        long before = Count.Now;
        for (int i = 0; i < count; i++)
            Ship(Pay(Take(i)));
        return Count.Now - before;
    }
}

static class Program
{
    static long Do(string what, int count) => what switch
    {
        "rules" => RuleEngine.Evaluate(count),
        "patterns" => Addresses.Match(count),
        "emit" => Mapper.Emit(count),
        "instances" => Boxes.Instantiate(count),
        "calls" => Orders.Handle(count),
        _ => -1,
    };

    static void Main()
    {
        // The methods in question are compiled themselves before, and what they need for themselves.
        foreach (string what in (string[])["rules", "patterns", "emit", "instances", "calls"])
            Do(what, 0);
        Console.Out.WriteLine("""{"ready": true}""");
        while (Console.In.ReadLine() is string line)
        {
            string[] words = line.Split(' ');
            if (words[0] == "quit")
                return;
            Console.Out.WriteLine($$"""{"compiled": {{Do(words[0], words.Length > 1 ? int.Parse(words[1]) : 0)}}}""");
        }
    }
}
