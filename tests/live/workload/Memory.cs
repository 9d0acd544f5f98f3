// SPDX-License-Identifier: GPL-2.0-only
// Allocation: the same objects in the same order at every run.
using System;
using System.Collections.Generic;

namespace Workload;

internal static class Memory
{
    private sealed class Node
    {
        public Node? Next;
        public long Value;
    }

    private const int Kept = 4096;
    private static readonly object?[] s_kept = new object?[Kept];
    private static readonly byte[]?[] s_ballast = new byte[32][];
    private static byte[][] s_pinned = [];
    private static readonly List<byte[]> s_hoard = new();
    private static Node? s_list;

    /// <summary>Small objects: nodes and arrays up to 4 KB; one in sixteen lives for a while. Returns the bytes.</summary>
    public static long Small(long bytes)
    {
        long start = GC.GetAllocatedBytesForCurrentThread();
        uint random = 12345;
        int length = 0;
        while (GC.GetAllocatedBytesForCurrentThread() - start < bytes)
            for (int i = 0; i < 64; i++)
            {
                random = random * 1664525 + 1013904223;
                object made;
                if ((random & 0x10000) != 0)
                {
                    s_list = new Node { Next = length++ % 1000 == 0 ? null : s_list, Value = random };
                    made = s_list;
                }
                else
                    made = new byte[(random >> 20) & 0xfff];
                if ((random >> 28) == 0)
                    s_kept[(random >> 8) % Kept] = made;
            }
        return GC.GetAllocatedBytesForCurrentThread() - start;
    }

    private static long Sum<T>(IEnumerable<T> all)
    {
        long count = 0;
        foreach (T _ in all)
            count++;
        return count;
    }

    /// <summary>Enumerators of three sorts of collections, as objects: types within types. Returns the bytes.</summary>
    public static long Enumerate(long bytes)
    {
        List<int> list = [1];
        HashSet<int> set = [1];
        Dictionary<string, int> map = new() { ["one"] = 1 };
        long start = GC.GetAllocatedBytesForCurrentThread(), count = 0;
        while (GC.GetAllocatedBytesForCurrentThread() - start < bytes)
            for (int i = 0; i < 64; i++)
                count += Sum(list) + Sum(set) + Sum(map);
        GC.KeepAlive(count);
        return GC.GetAllocatedBytesForCurrentThread() - start;
    }

    /// <summary>So many bytes more that are never let go.</summary>
    public static void Hoard(long bytes)
    {
        for (long made = 0; made < bytes; made += 1 << 14)
            s_hoard.Add(new byte[1 << 14]);
    }

    /// <summary>Arrays of 100 to 356 KB, which go to the large object heap. Returns the bytes.</summary>
    public static long Large(long bytes)
    {
        long start = GC.GetAllocatedBytesForCurrentThread();
        uint random = 54321;
        while (GC.GetAllocatedBytesForCurrentThread() - start < bytes)
        {
            random = random * 1664525 + 1013904223;
            s_kept[(random >> 8) % 8] = new byte[(100 << 10) + (int)((random >> 14) & 0x3ffff)];
        }
        return GC.GetAllocatedBytesForCurrentThread() - start;
    }

    /// <summary>Arrays of 1 MB on the pinned object heap, kept until the next call, and a full collection: what that promoted, as the runtime says.</summary>
    public static long Pinned(long bytes)
    {
        s_pinned = new byte[bytes >> 20][];
        for (int i = 0; i < s_pinned.Length; i++)
            s_pinned[i] = GC.AllocateArray<byte>(1 << 20, pinned: true);
        Collect(2, 1);
        return GC.GetGCMemoryInfo(GCKind.FullBlocking).PromotedBytes;
    }

    /// <summary>Blocking collections.</summary>
    public static void Collect(int generation, long count)
    {
        for (; count > 0; count--)
            GC.Collect(generation, GCCollectionMode.Forced, blocking: true);
    }

    /// <summary>
    /// One collection of generation 2 in the background, begun and ended in here; false when the runtime made it a
    /// blocking one. It does so on a heap below 4 MB, hence the ballast, and when concurrent collection is off.
    /// </summary>
    public static bool CollectInBackground()
    {
        for (int i = 0; i < s_ballast.Length; i++)
            s_ballast[i] ??= new byte[1 << 20];
        long background = GC.GetGCMemoryInfo(GCKind.Background).Index;
        long blocking = GC.GetGCMemoryInfo(GCKind.FullBlocking).Index;
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: false);
        for (;;)
        {
            if (GC.GetGCMemoryInfo(GCKind.Background).Index != background)
                return true;
            if (GC.GetGCMemoryInfo(GCKind.FullBlocking).Index != blocking)
                return false;
            Native.SleepMicroseconds(1000);
        }
    }
}
