// SPDX-License-Identifier: GPL-2.0-only
// Threads that only exist, and threads that come and go.
using System.Collections.Generic;
using System.Diagnostics.Tracing;
using System.Threading;

namespace Workload;

internal static class Threading
{
    private static readonly ManualResetEvent s_release = new(false);
    private static readonly List<Thread> s_idle = new();

    /// <summary>Makes it N idle threads, named idle-0 and so on; 0 ends them all.</summary>
    public static int SetIdle(int count)
    {
        if (count < s_idle.Count)
        {
            s_release.Set();
            foreach (Thread thread in s_idle)
                thread.Join();
            s_idle.Clear();
            s_release.Reset();
        }
        while (s_idle.Count < count)
        {
            var thread = new Thread(static () => s_release.WaitOne(), 128 << 10)
            {
                Name = "idle-" + s_idle.Count,
                IsBackground = true,
            };
            thread.Start();
            s_idle.Add(thread);
        }
        return s_idle.Count;
    }

    /// <summary>Starts and joins N threads, one after the other.</summary>
    public static void Churn(int count)
    {
        for (int i = 0; i < count; i++)
        {
            var thread = new Thread(static () => Compute.Spin(1, 500, 0), 128 << 10) { Name = "churn" };
            thread.Start();
            thread.Join();
        }
    }

    /// <summary>Starts N threads that do nothing but write events of their own until the process ends.</summary>
    public static void StartRestless(int count)
    {
        for (int i = 0; i < count; i++)
        {
            var thread = new Thread(static () =>
            {
                while (true)
                    RestlessSource.Log.Step();
            })
            {
                Name = "restless",
                IsBackground = true,
            };
            thread.Start();
        }
    }

    [EventSource(Name = "Workload-Restless")]
    private sealed class RestlessSource : EventSource
    {
        public static readonly RestlessSource Log = new();

        [Event(1)]
        public void Step() => WriteEvent(1);
    }
}
