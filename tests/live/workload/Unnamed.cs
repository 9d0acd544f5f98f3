// SPDX-License-Identifier: GPL-2.0-only
// An event without a name.
using System.Diagnostics.Tracing;

namespace Workload;

internal static class Unnamed
{
    private static readonly EventSource s_source = new("Workload-Unnamed");

    /// <summary>The library takes a name that is null, and hands it on as it is.</summary>
    public static void Write() => s_source.Write(null, new { Number = 1 });
}
