// SPDX-License-Identifier: GPL-2.0-only
// Code that comes and goes: the JIT puts later code where it was.
using System;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace Workload;

internal static class Reusing
{
    private const long TurnsPerCall = 100_000;
    private const int CollectionsUntilFreed = 3;

    private static int s_made;
    private static Func<long, long>? s_kept;

    /// <summary>N methods one after the other, each for so many ns of this thread's CPU, none left when the next is made.</summary>
    public static long Run(int count, long ns)
    {
        // One that stays: otherwise the memory of the dynamic ones would go with the last of them.
        s_kept ??= Dynamic(0);
        long sum = s_kept(1);
        for (int i = 0; i < count; i++)
        {
            sum += Spin(++s_made, ns);
            for (int collection = 0; collection < CollectionsUntilFreed; collection++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        }
        return sum;
    }

    // A frame of its own: no reference is left in Run's.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Spin(int number, long ns)
    {
        Func<long, long> code = number % 2 == 0 ? Dynamic(number) : InCollectibleAssembly(number);
        long sum = 0;
        for (long until = Native.ClockNs(Native.ClockThreadCpu) + ns; Native.ClockNs(Native.ClockThreadCpu) < until;)
            sum += code(TurnsPerCall);
        return sum;
    }

    private static Func<long, long> Dynamic(int number)
    {
        var method = new DynamicMethod("reused_" + number, typeof(long), new[] { typeof(long) }, typeof(Reusing).Module);
        Emit(method.GetILGenerator());
        return method.CreateDelegate<Func<long, long>>();
    }

    private static Func<long, long> InCollectibleAssembly(int number)
    {
        var name = new AssemblyName("Collected" + number);
        TypeBuilder type = AssemblyBuilder.DefineDynamicAssembly(name, AssemblyBuilderAccess.RunAndCollect)
            .DefineDynamicModule("module").DefineType("Collected", TypeAttributes.Public);
        MethodBuilder method = type.DefineMethod("reused_" + number, MethodAttributes.Public | MethodAttributes.Static,
            typeof(long), new[] { typeof(long) });
        method.SetImplementationFlags(MethodImplAttributes.AggressiveOptimization);
        Emit(method.GetILGenerator());
        return type.CreateType().GetMethod(method.Name)!.CreateDelegate<Func<long, long>>();
    }

    /// <summary>do x = (x ^ x &lt;&lt; 13) * odd; while (--turns > 0); return x;</summary>
    private static void Emit(ILGenerator il)
    {
        LocalBuilder x = il.DeclareLocal(typeof(long));
        Label again = il.DefineLabel();
        il.Emit(OpCodes.Ldc_I8, 88172645463325252);
        il.Emit(OpCodes.Stloc, x);
        il.MarkLabel(again);
        il.Emit(OpCodes.Ldloc, x);
        il.Emit(OpCodes.Ldloc, x);
        il.Emit(OpCodes.Ldc_I4, 13);
        il.Emit(OpCodes.Shl);
        il.Emit(OpCodes.Xor);
        il.Emit(OpCodes.Ldc_I8, 0x1E3779B97F4A7C15);
        il.Emit(OpCodes.Mul);
        il.Emit(OpCodes.Stloc, x);
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldc_I8, 1L);
        il.Emit(OpCodes.Sub);
        il.Emit(OpCodes.Starg, (short)0);
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldc_I8, 0L);
        il.Emit(OpCodes.Bgt, again);
        il.Emit(OpCodes.Ldloc, x);
        il.Emit(OpCodes.Ret);
    }
}
