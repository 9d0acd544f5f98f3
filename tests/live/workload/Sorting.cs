// SPDX-License-Identifier: GPL-2.0-only
// CPU work deep in native code that keeps no frame pointers: a recursive sort of libc, comparing by another function of libc.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Workload;

internal static unsafe class Sorting
{
    private const int Count = 20_000;
    private const int Size = 16; // bytes of a text with its NUL

    [DllImport("libc", EntryPoint = "qsort")]
    private static extern void Sort(byte* texts, nint count, nint size, nint compare);

    /// <summary>So much CPU time of this thread; how many texts were sorted.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static long Run(long cpuMs)
    {
        nint compare = NativeLibrary.GetExport(NativeLibrary.Load("libc.so.6"), "strcmp");
        byte* texts = (byte*)NativeMemory.Alloc(Count, Size);
        long until = Native.ClockNs(Native.ClockThreadCpu) + cpuMs * 1_000_000;
        long sorted = 0;
        for (ulong state = 88172645463325252; Native.ClockNs(Native.ClockThreadCpu) < until; sorted += Count)
        {
            for (int i = 0; i < Count; i++)
                state = Fill(texts + i * Size, state);
            Sort(texts, Count, Size, compare);
        }
        NativeMemory.Free(texts);
        return sorted;
    }

    private static ulong Fill(byte* text, ulong state)
    {
        for (int i = 0; i < Size - 1; i++)
        {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            text[i] = (byte)('a' + state % 4);
        }
        text[Size - 1] = 0;
        return state;
    }
}
