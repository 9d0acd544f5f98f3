// SPDX-License-Identifier: GPL-2.0-only
// Work for the JIT compiler.
using System;
using System.Linq.Expressions;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

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
