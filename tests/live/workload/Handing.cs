// SPDX-License-Identifier: GPL-2.0-only
// Threads that wait for one another, each wait timed by the thread itself.
using System;
using System.Diagnostics;
using System.IO.Pipes;
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Workload;

internal static class Handing
{
    private const int LeastMs = 5, MostMs = 25;

    /// <summary>What a thread was not blocked of the time that passed, by the kernel's own clocks: it ran (spun, entered the wait), or waited for a CPU.</summary>
    internal sealed unsafe class Awake : IDisposable
    {
        private readonly int _schedstat;

        public Awake()
        {
            fixed (byte* path = "/proc/thread-self/schedstat\0"u8)
                _schedstat = Native.Open(path, Native.OpenRead);
            if (_schedstat < 0)
                throw new InvalidOperationException("/proc/thread-self/schedstat cannot be read");
        }

        public long Ns => Native.ClockNs(Native.ClockThreadCpu) + RunDelayNs();

        /// <summary>Waited for a CPU.</summary>
        public long RunDelayNs()
        {
            byte* text = stackalloc byte[64];
            nint length = Native.ReadAt(_schedstat, text, 64, 0);
            nint at = 0;
            while (at < length && text[at] != ' ')
                at++;
            long delay = 0;
            for (at++; at < length && text[at] != ' '; at++)
                delay = delay * 10 + text[at] - '0';
            return delay;
        }

        public void Dispose() => _ = Native.Close(_schedstat);
    }

    /// <summary>One thread that waits, and one that ends its waits.</summary>
    private abstract class Pair(string name)
    {
        public readonly string Name = name;
        public long WaitedNs, AwakeNs, Giver, Waiter; // the time in Wait(); what of it the thread was not blocked
        public long AllBlockedNs, AllDelayedNs;       // of its waits and all between them: blocked; waited for a CPU
        protected volatile bool Over;
        protected int Waits; // what is done last in Wait(): a call there would take its place on the stack
        private Thread? _waiter, _giver;

        /// <summary>Waits once; whoever overrides it is the place that waits.</summary>
        protected abstract void Wait();

        /// <summary>Makes sure that there is something to wait for, before the time counts.</summary>
        protected virtual void Prepare() { }

        /// <summary>Rests a while, then ends a wait.</summary>
        protected abstract void Give(int restMs);

        public void Start(int ms)
        {
            _waiter = new Thread(() => WaitFor(ms)) { Name = Name + "-waits" };
            _giver = new Thread(GiveAlways) { Name = Name + "-gives", IsBackground = true };
            _giver.Start();
            _waiter.Start();
        }

        public void Join()
        {
            _waiter!.Join();
            _giver!.Join();
        }

        private void WaitFor(int ms)
        {
            Waiter = Native.GetTid();
            using var awake = new Awake();
            long begin = Stopwatch.GetTimestamp(), awakeAtFirst = awake.Ns, delayAtFirst = awake.RunDelayNs();
            while (Stopwatch.GetElapsedTime(begin).TotalMilliseconds < ms)
            {
                Prepare();
                long from = Stopwatch.GetTimestamp(), awakeBefore = awake.Ns;
                Wait();
                AwakeNs += awake.Ns - awakeBefore;
                WaitedNs += Stopwatch.GetElapsedTime(from).Ticks * 100;
            }
            AllDelayedNs = awake.RunDelayNs() - delayAtFirst;
            AllBlockedNs = Stopwatch.GetElapsedTime(begin).Ticks * 100 - (awake.Ns - awakeAtFirst);
            Over = true;
        }

        private void GiveAlways()
        {
            Giver = Native.GetTid();
            var random = new Random(Name.Length);
            while (!Over)
                Give(random.Next(LeastMs, MostMs));
        }
    }

    private sealed class Monitors() : Pair("monitor")
    {
        private readonly object _lock = new();
        private volatile bool _held;

        protected override void Prepare()
        {
            while (!_held && !Over)
                Native.SleepMicroseconds(100);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        protected override void Wait()
        {
            lock (_lock)
                _held = false;
        }

        protected override void Give(int restMs)
        {
            lock (_lock)
            {
                _held = true;
                Thread.Sleep(restMs);
            }
            while (_held && !Over)
                Native.SleepMicroseconds(100);
        }
    }

    private sealed class Semaphores() : Pair("semaphore")
    {
        private readonly SemaphoreSlim _semaphore = new(0);

        [MethodImpl(MethodImplOptions.NoInlining)]
        protected override void Wait()
        {
            _semaphore.Wait();
            Waits++;
        }

        protected override void Give(int restMs)
        {
            Thread.Sleep(restMs);
            _semaphore.Release();
        }
    }

    private sealed class Tasks() : Pair("task")
    {
        private volatile TaskCompletionSource _source = new();

        [MethodImpl(MethodImplOptions.NoInlining)]
        protected override void Wait()
        {
            _source.Task.Wait();
            Waits++;
        }

        protected override void Give(int restMs)
        {
            Thread.Sleep(restMs);
            TaskCompletionSource source = _source;
            _source = new TaskCompletionSource();
            source.SetResult();
        }
    }

    private sealed class Pipes : Pair
    {
        private readonly AnonymousPipeServerStream _writes = new(PipeDirection.Out);
        private readonly AnonymousPipeClientStream _reads;

        public Pipes() : base("pipe") => _reads = new AnonymousPipeClientStream(PipeDirection.In, _writes.ClientSafePipeHandle);

        [MethodImpl(MethodImplOptions.NoInlining)]
        protected override void Wait()
        {
            _reads.ReadByte();
            Waits++;
        }

        protected override void Give(int restMs)
        {
            Thread.Sleep(restMs);
            _writes.WriteByte(1);
        }
    }

    private sealed class Sockets : Pair
    {
        private readonly Socket _reads, _writes = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        private readonly byte[] _byte = new byte[1];

        public Sockets() : base("socket")
        {
            using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
            listener.Listen();
            _writes.Connect(listener.LocalEndPoint!);
            _reads = listener.Accept();
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        protected override void Wait()
        {
            _reads.Receive(_byte);
            Waits++;
        }

        protected override void Give(int restMs)
        {
            Thread.Sleep(restMs);
            _writes.Send([1]);
        }
    }

    private sealed class Sleeps() : Pair("sleep")
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        protected override void Wait()
        {
            Thread.Sleep(MostMs);
            Waits++;
        }

        protected override void Give(int restMs) => Thread.Sleep(restMs);
    }

    /// <summary>For so many ms all kinds of waiting at the same time. Tells of each how many ns were waited, how many of them the thread was blocked, and which thread ended the waits.</summary>
    public static void Run(int ms, Json json)
    {
        Pair[] pairs = [new Monitors(), new Semaphores(), new Tasks(), new Pipes(), new Sockets(), new Sleeps()];
        foreach (Pair pair in pairs)
            pair.Start(ms);
        foreach (Pair pair in pairs)
            pair.Join();
        json.BeginArray("waits"u8);
        foreach (Pair pair in pairs)
        {
            json.BeginObject();
            json.Text("kind"u8, System.Text.Encoding.UTF8.GetBytes(pair.Name));
            json.Number("waited_ns"u8, pair.WaitedNs);
            json.Number("blocked_ns"u8, pair.WaitedNs - pair.AwakeNs);
            json.Number("all_blocked_ns"u8, pair.AllBlockedNs);
            json.Number("all_delayed_ns"u8, pair.AllDelayedNs);
            json.Number("waiter_tid"u8, pair.Waiter);
            json.Number("giver_tid"u8, pair.Giver);
            json.EndObject();
        }
        json.EndArray();
    }
}
