// SPDX-License-Identifier: GPL-2.0-only
// Calls of libc and first touches of memory, so many and no more: what an observer of either counts must be that.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Workload;

internal static unsafe class Calling
{
    private const int PageBytes = 4096;
    private const int ReadWrite = 3;
    private const int PrivateAnonymous = 0x22;
    private const int NoHugePage = 15;
    private const int ThisThread = 1;
    private const int UsageWords = 18;
    private const int MinorFaults = 8; // among the words of struct rusage

    [DllImport("libc", EntryPoint = "malloc")]
    private static extern void* Allocate(nint bytes);

    [DllImport("libc", EntryPoint = "free")]
    private static extern void Free(void* memory);

    [DllImport("libc", EntryPoint = "mmap")]
    private static extern byte* Map(void* where, nint bytes, int protection, int flags, int fd, nint offset);

    [DllImport("libc", EntryPoint = "munmap")]
    private static extern int Unmap(byte* memory, nint bytes);

    [DllImport("libc", EntryPoint = "madvise")]
    private static extern int Advise(byte* memory, nint bytes, int advice);

    [DllImport("libc", EntryPoint = "getrusage")]
    private static extern int GetUsage(int who, long* usage);

    /// <summary>So many calls of malloc; how many it were.</summary>
    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    public static long Malloc(long count)
    {
        long called = 0;
        for (; called < count; called++)
            Free(Allocate(40));
        return called;
    }

    /// <summary>Touches so many pages that were never touched; the faults that the kernel counted for this thread meanwhile.</summary>
    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    public static long Touch(long pages)
    {
        nint bytes = (nint)pages * PageBytes;
        byte* memory = Map(null, bytes, ReadWrite, PrivateAnonymous, -1, 0);
        Advise(memory, bytes, NoHugePage);
        long before = Faults();
        for (nint at = 0; at < bytes; at += PageBytes)
            memory[at] = 1;
        long faults = Faults() - before;
        Unmap(memory, bytes);
        return faults;
    }

    private static long Faults()
    {
        long* usage = stackalloc long[UsageWords];
        GetUsage(ThisThread, usage);
        return usage[MinorFaults];
    }
}
