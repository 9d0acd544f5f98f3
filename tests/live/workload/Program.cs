// SPDX-License-Identifier: GPL-2.0-only
// The process the live tests watch: it obeys one command per line of standard input and answers each with one JSON
// line. See README.md beside this file for the commands.
//
// Between commands it is really idle: nothing compiles, collects or runs. So an observer may come and go between two
// marks, and what it counted must equal the difference of the marks.
using System;
using System.Diagnostics;
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Workload;

internal static unsafe class Program
{
    private const MethodImplOptions Fixed = MethodImplOptions.AggressiveOptimization;
    private const int MarksPerRound = 40;
    private const int RoundsAtMost = 40;
    private const long RoundQuietNs = 200_000_000;
    private const long SettleDeadlineNs = 30_000_000_000;

    private static readonly Json s_json = new();
    private static readonly byte[] s_input = GC.AllocateUninitializedArray<byte>(4096, pinned: true);
    private static int s_inputStart, s_inputEnd;

    public static void Main()
    {
        Compute.Start();
        bool warm = WarmUp();
        s_json.Begin();
        s_json.Flag("ready"u8, warm);
        s_json.Number("pid"u8, Environment.ProcessId);
        s_json.Text("runtime"u8, Encoding.UTF8.GetBytes(Environment.Version.ToString()));
        s_json.Flag("server_gc"u8, GCSettings.IsServerGC);
        s_json.Flag("concurrent_gc"u8, GCSettings.LatencyMode != GCLatencyMode.Batch);
        s_json.Number("main_tid"u8, Native.GetTid());
        s_json.Number("compute_tid"u8, Compute.Tid);
        s_json.Send();
        Serve();
    }

    /// <summary>Calls what mark, settle and idle call until the runtime has stopped improving any of it.</summary>
    [MethodImpl(Fixed)]
    private static bool WarmUp()
    {
        Native.Read(-1, null, 0);
        Sleep(1);
        WriteSettle(0);
        for (int round = 0; round < RoundsAtMost; round++)
        {
            long before = Counters.Activity();
            for (int i = 0; i < MarksPerRound; i++)
            {
                s_json.Begin();
                Counters.Write(s_json);
            }
            if (Settle.Wait(RoundQuietNs, SettleDeadlineNs) && Counters.Activity() == before)
                return true;
        }
        return false;
    }

    /// <summary>Commands until `quit` or the end of the input.</summary>
    [MethodImpl(Fixed)]
    private static void Serve()
    {
        ReadOnlySpan<byte> line;
        while (ReadLine(out line))
        {
            ReadOnlySpan<byte> verb = Word(ref line);
            if (verb.SequenceEqual("quit"u8))
                break;
            s_json.Begin();
            s_json.Text("cmd"u8, verb);
            if (verb.SequenceEqual("mark"u8))
            {
                s_json.Text("name"u8, line);
                Counters.Write(s_json);
            }
            else if (verb.SequenceEqual("settle"u8))
                WriteSettle(Number(ref line, 10_000));
            else if (verb.SequenceEqual("idle"u8))
                Sleep(Number(ref line, 0));
            else if (!Work(verb, line))
                s_json.Text("error"u8, "unknown command"u8);
            s_json.Send();
        }
    }

    [MethodImpl(Fixed)]
    private static void WriteSettle(long deadlineMs)
    {
        long start = Stopwatch.GetTimestamp();
        s_json.Flag("settled"u8, Settle.Wait(Settle.QuietNs, deadlineMs * 1_000_000));
        s_json.Number("waited_ns"u8, Stopwatch.GetTimestamp() - start);
    }

    [MethodImpl(Fixed)]
    private static void Sleep(long ms)
    {
        const long StepMs = 50;
        for (; ms > 0; ms -= StepMs)
            Native.SleepMicroseconds((uint)(Math.Min(ms, StepMs) * 1000));
    }

    /// <summary>A fixed amount of chosen work; the answer says how long it took and what it came to.</summary>
    private static bool Work(ReadOnlySpan<byte> verb, ReadOnlySpan<byte> args)
    {
        long start = Stopwatch.GetTimestamp();
        long first = Number(ref args, 1);
        switch (Encoding.ASCII.GetString(verb))
        {
            case "compute":
                Compute.Run(0, 0, first);
                WriteCompute();
                break;
            case "compute-tiers":
                Compute.Run(first, Number(ref args, 500), Number(ref args, 500));
                WriteCompute();
                break;
            case "sort":
                s_json.Number("sorted"u8, Sorting.Run(first));
                break;
            case "deep":
                s_json.Number("result"u8, Deep.Run((int)first, Number(ref args, 500)));
                break;
            case "alloc":
                s_json.Number("bytes"u8, Memory.Small(first << 20));
                break;
            case "enumerate":
                s_json.Number("bytes"u8, Memory.Enumerate(first << 20));
                break;
            case "files":
                s_json.Number("bytes"u8, Filing.Run((int)first, (int)Number(ref args, 0), Encoding.UTF8.GetString(args)));
                break;
            case "malloc":
                s_json.Number("called"u8, Calling.Malloc(first));
                break;
            case "touch":
                s_json.Number("faults"u8, Calling.Touch(first));
                break;
            case "loh":
                s_json.Number("bytes"u8, Memory.Large(first << 20));
                break;
            case "poh":
                s_json.Number("promoted_bytes"u8, Memory.Pinned(first << 20));
                break;
            case "gc":
                Memory.Collect((int)first, Number(ref args, 1));
                break;
            case "gc-settings":
                Configured.Write(s_json);
                break;
            case "gc-background":
                s_json.Flag("background"u8, Memory.CollectInBackground());
                break;
            case "jit-expr":
                s_json.Number("result"u8, Jitting.Expressions((int)first));
                break;
            case "jit-lambda":
                s_json.Number("result"u8, Jitting.Lambdas((int)first));
                break;
            case "jit-dynamic":
                s_json.Number("result"u8, Jitting.DynamicMethods((int)first));
                break;
            case "compile-on":
                Jitting.Endless((int)first);
                break;
            case "generics":
                s_json.Number("result"u8, Jitting.Generics((int)first));
                break;
            case "written":
                s_json.Number("result"u8, (long)(Written.Run(first * 1_000_000) & 0xFFFF));
                break;
            case "reuse":
                s_json.Number("result"u8, Reusing.Run((int)first, Number(ref args, 200) * 1_000_000) & 0xFFFF);
                break;
            case "signatures":
                s_json.Number("result"u8, Signatures.Run());
                break;
            case "throw":
                s_json.Number("caught"u8, Throwing.Throw((int)first));
                break;
            case "throw-silent":
                s_json.Number("caught"u8, Throwing.ThrowSilently((int)first));
                break;
            case "write-null":
                Unnamed.Write();
                break;
            case "fates":
                s_json.Number("thrown"u8, Fates.Run((int)first));
                break;
            case "unhandled":
                Fates.Unhandled();
                break;
            case "locks":
                s_json.Number("contended"u8, Locking.Contend((int)first));
                break;
            case "new-locks":
                s_json.Number("contended"u8, Locking.ContendNew((int)first));
                break;
            case "convoy":
                Locking.Convoy((int)first, (int)Number(ref args, 1000));
                break;
            case "hoard":
                Memory.Hoard(first << 20);
                break;
            case "deadlock":
                Locking.Deadlock();
                break;
            case "block":
                Locking.Block((int)first);
                break;
            case "pool":
                Pooling.Items((int)first);
                break;
            case "starve":
                Pooling.Starve((int)first, (int)Number(ref args, 500));
                break;
            case "pool-hold":
                Pooling.Hold((int)first, (int)Number(ref args, 0), (int)Number(ref args, 0), s_json);
                break;
            case "pool-release":
                Pooling.Release();
                break;
            case "pool-waits":
                Queueing.Run((int)first, (int)Number(ref args, 10), (int)Number(ref args, 10), (int)Number(ref args, 5), s_json);
                break;
            case "async":
                Pooling.Async((int)first);
                break;
            case "threads":
                s_json.Number("idle_threads"u8, Threading.SetIdle((int)first));
                break;
            case "nap":
                s_json.Number("waited_ns"u8, Napping.Run((int)first, (int)Number(ref args, 0), (int)Number(ref args, 0)));
                break;
            case "hand":
                Handing.Run((int)first, s_json);
                break;
            case "pass":
                s_json.Number("switches"u8, Passing.Run((int)first));
                break;
            case "pass-unevenly":
                (long soon, long later) = Passing.RunUnevenly((int)first);
                s_json.Number("soon_ns"u8, soon);
                s_json.Number("later_ns"u8, later);
                break;
            case "restless":
                Threading.StartRestless((int)first);
                break;
            case "churn":
                Threading.Churn((int)first);
                break;
            default:
                return false;
        }
        s_json.Number("took_ns"u8, Stopwatch.GetTimestamp() - start);
        return true;
    }

    private static void WriteCompute()
    {
        s_json.Number("tid"u8, Compute.Tid);
        s_json.Number("cpu_ns"u8, Compute.UsedNs);
    }

    /// <summary>The next line of standard input, valid until the next call; false at its end.</summary>
    [MethodImpl(Fixed)]
    private static bool ReadLine(out ReadOnlySpan<byte> line)
    {
        for (;;)
        {
            for (int at = s_inputStart; at < s_inputEnd; at++)
                if (s_input[at] == '\n')
                {
                    line = new ReadOnlySpan<byte>(s_input, s_inputStart, at - s_inputStart);
                    s_inputStart = at + 1;
                    return true;
                }
            int rest = s_inputEnd - s_inputStart;
            for (int i = 0; i < rest; i++)
                s_input[i] = s_input[s_inputStart + i];
            s_inputStart = 0;
            s_inputEnd = rest;
            nint n;
            fixed (byte* to = s_input)
                n = Native.Read(0, to + rest, s_input.Length - rest);
            if (n <= 0)
            {
                line = default;
                return false;
            }
            s_inputEnd += (int)n;
        }
    }

    [MethodImpl(Fixed)]
    private static ReadOnlySpan<byte> Word(ref ReadOnlySpan<byte> line)
    {
        int end = 0;
        while (end < line.Length && line[end] != ' ')
            end++;
        ReadOnlySpan<byte> word = line.Slice(0, end);
        line = line.Slice(end < line.Length ? end + 1 : end);
        return word;
    }

    [MethodImpl(Fixed)]
    private static long Number(ref ReadOnlySpan<byte> line, long missing)
    {
        ReadOnlySpan<byte> word = Word(ref line);
        if (word.Length == 0)
            return missing;
        long value = 0;
        foreach (byte c in word)
        {
            if (c < '0' || c > '9')
                return missing;
            value = value * 10 + (c - '0');
        }
        return value;
    }
}
