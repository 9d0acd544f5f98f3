// SPDX-License-Identifier: GPL-2.0-only
// Work for the JIT compiler.
using System;
using System.Diagnostics;
using System.Linq.Expressions;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Workload;

internal readonly record struct Pair<TFirst, TSecond>(TFirst First, TSecond Second);

internal static class Generic<T>
{
    /// <summary>Compiled once for each value type T.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Use()
    {
        var some = new T[2];
        some[1] = some[0];
        return Unsafe.SizeOf<T>() + some.Length;
    }
}

internal static class Jitting
{
    private static readonly Type[] s_values =
    {
        typeof(byte), typeof(short), typeof(int), typeof(long), typeof(float), typeof(double), typeof(decimal),
        typeof(DateTime), typeof(Guid), typeof(char),
    };

    // So many that a method's compiling takes far longer than what the runtime does around it (telling of it, above all).
    private const int TermsPerExpression = 120;

    private const int CallsPerMade = 10_000;

    private static int s_instantiations;

    /// <summary>Compiles N expression trees and calls each once.</summary>
    public static long Expressions(int count)
    {
        long sum = 0;
        for (int i = 0; i < count; i++)
        {
            ParameterExpression x = Expression.Parameter(typeof(long), "x");
            Expression body = Expression.Constant(7L);
            for (int term = 0; term < TermsPerExpression; term++)
                body = Expression.Add(Expression.Multiply(x, body), Expression.Constant((long)i));
            sum += Expression.Lambda<Func<long, long>>(body, x).Compile()(i);
        }
        return sum;
    }

    /// <summary>Compiles N lambdas of one operation and calls each once.</summary>
    public static long Lambdas(int count)
    {
        long sum = 0;
        for (int i = 0; i < count; i++)
        {
            ParameterExpression x = Expression.Parameter(typeof(long), "x");
            sum += Expression.Lambda<Func<long, long>>(Expression.Add(x, Expression.Constant((long)i)), x).Compile()(1);
        }
        return sum;
    }

    /// <summary>Emits N dynamic methods and calls each once.</summary>
    public static long DynamicMethods(int count)
    {
        long sum = 0;
        for (int i = 0; i < count; i++)
        {
            var method = new DynamicMethod("made_" + i, typeof(long), new[] { typeof(long) }, typeof(Jitting).Module);
            ILGenerator il = method.GetILGenerator();
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldc_I8, (long)i);
            il.Emit(OpCodes.Add);
            il.Emit(OpCodes.Ret);
            sum += method.CreateDelegate<Func<long, long>>()(1);
        }
        return sum;
    }

    /// <summary>
    /// From now on so many dynamic methods a second, each with a name and code of its own, called for a while and dropped; collected once a second.
    /// Until the process ends.
    /// </summary>
    public static void Endless(int perSecond)
    {
        new Thread(() => CompileOn(perSecond)) { IsBackground = true, Name = "compiling" }.Start();
    }

    private static void CompileOn(int perSecond)
    {
        // One that stays: otherwise the memory of the others would go with the last of them.
        Func<long, long> kept = Made(0);
        long made = 0;
        for (long start = Stopwatch.GetTimestamp(), collected = start;;)
        {
            long now = Stopwatch.GetTimestamp();
            double elapsed = (now - start) / (double)Stopwatch.Frequency;
            while (made < elapsed * perSecond)
            {
                Func<long, long> method = Made(++made);
                for (int i = 0; i < CallsPerMade; i++)
                    method(i);
            }
            if (now - collected > Stopwatch.Frequency)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                collected = now;
            }
            Thread.Sleep(1);
            GC.KeepAlive(kept);
        }
    }

    private static Func<long, long> Made(long number)
    {
        var method = new DynamicMethod("compiled_" + number, typeof(long), new[] { typeof(long) }, typeof(Jitting).Module);
        ILGenerator il = method.GetILGenerator();
        il.Emit(OpCodes.Ldarg_0);
        for (int term = 0; term < 20; term++)
        {
            il.Emit(OpCodes.Ldc_I8, number + term);
            il.Emit(OpCodes.Mul);
        }
        il.Emit(OpCodes.Ret);
        return method.CreateDelegate<Func<long, long>>();
    }

    /// <summary>Calls one generic method over N value types never used before.</summary>
    public static unsafe long Generics(int count)
    {
        long sum = 0;
        for (int i = 0; i < count; i++)
        {
            Type type = typeof(bool);
            for (int rest = ++s_instantiations; rest > 0; rest /= s_values.Length)
                type = typeof(Pair<,>).MakeGenericType(s_values[rest % s_values.Length], type);
            var use = typeof(Generic<>).MakeGenericType(type).GetMethod(nameof(Generic<int>.Use))!;
            sum += ((delegate*<int>)use.MethodHandle.GetFunctionPointer())();
        }
        return sum;
    }
}
