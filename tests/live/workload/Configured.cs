// SPDX-License-Identifier: GPL-2.0-only
// The settings of the collector, in the runtime's own words.
using System;
using System.Collections.Generic;
using System.Runtime;
using System.Text;

namespace Workload;

internal static class Configured
{
    /// <summary>What it has (not what it was asked for), as numbers and texts; what it counts as memory and as CPUs.</summary>
    public static void Write(Json json)
    {
        foreach (KeyValuePair<string, object> variable in GC.GetConfigurationVariables())
        {
            byte[] name = Encoding.UTF8.GetBytes(variable.Key);
            if (variable.Value is bool flag)
                json.Flag(name, flag);
            else if (variable.Value is long number)
                json.Number(name, number);
            else
                json.Text(name, Encoding.UTF8.GetBytes(variable.Value?.ToString() ?? ""));
        }
        json.Flag("server"u8, GCSettings.IsServerGC);
        json.Flag("concurrent"u8, GCSettings.LatencyMode != GCLatencyMode.Batch);
        json.Number("total_available_bytes"u8, GC.GetGCMemoryInfo(GCKind.Any).TotalAvailableMemoryBytes);
        json.Number("processor_count"u8, Environment.ProcessorCount);
    }
}
