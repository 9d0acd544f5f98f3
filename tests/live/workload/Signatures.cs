// SPDX-License-Identifier: GPL-2.0-only
// Methods whose signatures have what programs seldom write: the runtime names them in more than one way.
using System;
using System.Runtime.CompilerServices;

namespace Workload;

internal static unsafe class Signatures
{
    /// <summary>Calls each of them once.</summary>
    public static long Run()
    {
        int value = 1;
        return Typed(__makeref(value)) + Grid(new int[2, 3], new long[1][,,]) + Managed(&Grid, &value) + Unmanaged(null, null, null);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Typed(TypedReference value) => __refvalue(value, int);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Grid(int[,] plane, long[][,,] spaces) => plane.Length + spaces.Length;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Managed(delegate*<int[,], long[][,,], int> function, int* value) => function(new int[*value, 1], Array.Empty<long[,,]>());

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Unmanaged(delegate* unmanaged<int*, long> plain, delegate* unmanaged[Cdecl]<int, void> named,
        delegate* unmanaged[Cdecl, SuppressGCTransition]<nint, nuint> modified) => plain == null && named == null && modified == null ? 1 : 0;
}
