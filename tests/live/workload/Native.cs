// SPDX-License-Identifier: GPL-2.0-only
// The few libc calls the workload needs where the class library would allocate, take locks or be re-jitted.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

[assembly: DisableRuntimeMarshalling]

namespace Workload;

internal static unsafe class Native
{
    public const int ClockProcessCpu = 2;
    public const int ClockThreadCpu = 3;
    public const int OpenRead = 0;
    public const int OpenDirectory = 0x10000;

    private struct Timespec
    {
        public long Seconds;
        public long Nanoseconds;
    }

    [DllImport("libc", EntryPoint = "clock_gettime"), SuppressGCTransition]
    private static extern int ClockGetTime(int clock, Timespec* time);

    [DllImport("libc", EntryPoint = "gettid"), SuppressGCTransition]
    public static extern int GetTid();

    [DllImport("libc", EntryPoint = "open")]
    public static extern int Open(byte* path, int flags);

    [DllImport("libc", EntryPoint = "close")]
    public static extern int Close(int fd);

    [DllImport("libc", EntryPoint = "read")]
    public static extern nint Read(int fd, byte* to, nint length);

    [DllImport("libc", EntryPoint = "pread"), SuppressGCTransition]
    public static extern nint ReadAt(int fd, byte* to, nint length, long offset);

    [DllImport("libc", EntryPoint = "write")]
    public static extern nint Write(int fd, byte* from, nint length);

    [DllImport("libc", EntryPoint = "getrusage"), SuppressGCTransition]
    private static extern int GetUsage(int who, long* usage);

    [DllImport("libc", EntryPoint = "getdents64")]
    public static extern nint GetDents64(int fd, byte* to, nint length);

    [DllImport("libc", EntryPoint = "usleep")]
    public static extern int SleepMicroseconds(uint microseconds);

    /// <summary>The clock in ns; -1 when it does not exist (a thread that has ended).</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static long ClockNs(int clock)
    {
        Timespec time;
        return ClockGetTime(clock, &time) == 0 ? time.Seconds * 1_000_000_000 + time.Nanoseconds : -1;
    }

    /// <summary>Context switches of all threads until now, those that ended included: struct rusage ends with the voluntary and the other ones.</summary>
    public static long Switches()
    {
        const int Longs = 18;
        long* usage = stackalloc long[Longs];
        return GetUsage(0, usage) == 0 ? usage[Longs - 2] + usage[Longs - 1] : -1;
    }

    /// <summary>CPU time of any thread of this process: the kernel's per-thread clock id made from its tid.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static long ThreadCpuNs(int tid) => ClockNs((~tid << 3) | 6);
}
