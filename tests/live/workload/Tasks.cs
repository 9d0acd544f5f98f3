// SPDX-License-Identifier: GPL-2.0-only
// The threads of this process as the kernel knows them: /proc/self/task, read into buffers that are kept.
using System;
using System.Runtime.CompilerServices;

namespace Workload;

internal static unsafe class Tasks
{
    private const MethodImplOptions Fixed = MethodImplOptions.AggressiveOptimization;
    private const int DirentReclen = 16;
    private const int DirentName = 19;

    private static readonly byte[] s_entries = GC.AllocateUninitializedArray<byte>(64 << 10, pinned: true);
    private static readonly byte[] s_file = GC.AllocateUninitializedArray<byte>(1024, pinned: true);
    private static readonly byte[] s_path = GC.AllocateUninitializedArray<byte>(64, pinned: true);
    private static readonly int[] s_tids = new int[8192];

    /// <summary>The tids of all threads now; valid until the next call.</summary>
    [MethodImpl(Fixed)]
    public static ReadOnlySpan<int> List()
    {
        int count = 0;
        int fd;
        fixed (byte* path = "/proc/self/task\0"u8)
            fd = Native.Open(path, Native.OpenRead | Native.OpenDirectory);
        if (fd < 0)
            return default;
        fixed (byte* entries = s_entries)
        {
            nint length;
            while ((length = Native.GetDents64(fd, entries, s_entries.Length)) > 0)
                for (nint at = 0; at < length; at += *(ushort*)(entries + at + DirentReclen))
                {
                    int tid = Decimal(entries + at + DirentName);
                    if (tid > 0 && count < s_tids.Length)
                        s_tids[count++] = tid;
                }
        }
        Native.Close(fd);
        return new ReadOnlySpan<int>(s_tids, 0, count);
    }

    /// <summary>The name of a thread (its comm); empty once it has ended. Valid until the next call.</summary>
    [MethodImpl(Fixed)]
    public static ReadOnlySpan<byte> Comm(int tid)
    {
        ReadOnlySpan<byte> text = ReadFile(tid, "/comm\0"u8);
        return text.Length > 0 ? text.Slice(0, text.Length - 1) : text;
    }

    /// <summary>The scheduler's state letter of a thread: R runs or waits for a CPU, S sleeps.</summary>
    [MethodImpl(Fixed)]
    public static byte State(int tid)
    {
        ReadOnlySpan<byte> text = ReadFile(tid, "/stat\0"u8);
        for (int at = text.Length - 3; at > 0; at--)
            if (text[at] == ')')
                return text[at + 2];
        return (byte)'?';
    }

    [MethodImpl(Fixed)]
    private static ReadOnlySpan<byte> ReadFile(int tid, ReadOnlySpan<byte> leaf)
    {
        ReadOnlySpan<byte> prefix = "/proc/self/task/"u8;
        int length = 0;
        foreach (byte c in prefix)
            s_path[length++] = c;
        for (int unit = 1_000_000_000, rest = tid; unit > 0; rest %= unit, unit /= 10)
            if (tid >= unit)
                s_path[length++] = (byte)('0' + rest / unit);
        foreach (byte c in leaf)
            s_path[length++] = c;
        fixed (byte* path = s_path, to = s_file)
        {
            int fd = Native.Open(path, Native.OpenRead);
            if (fd < 0)
                return default;
            nint n = Native.Read(fd, to, s_file.Length);
            Native.Close(fd);
            return new ReadOnlySpan<byte>(s_file, 0, n > 0 ? (int)n : 0);
        }
    }

    [MethodImpl(Fixed)]
    private static int Decimal(byte* text)
    {
        int value = 0;
        for (; *text >= '0' && *text <= '9'; text++)
            value = value * 10 + (*text - '0');
        return value;
    }
}
