// SPDX-License-Identifier: GPL-2.0-only
// Threads that wait: twelve kinds of waiting, ten threads of each, called KIND-0 to KIND-9, in a method of their own. What they wait for never comes. The threads that
// have it are called holder-KIND. It ends when its standard input does.
using System;
using System.Diagnostics;
using System.IO;
using System.IO.Pipes;
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

internal static class Waiting
{
    private const int Each = 10, LockExclusive = 2;
    private static readonly object s_monitor = new(), s_pulse = new();
    private static readonly Lock s_lock = new();
    private static readonly SemaphoreSlim s_semaphore = new(0);
    private static readonly Task s_task = new TaskCompletionSource().Task;
    private static readonly CountdownEvent s_started = new(12 * Each + 3);
    private static readonly Socket[] s_sockets = new Socket[Each], s_others = new Socket[Each];
    private static readonly AnonymousPipeServerStream[] s_pipes = new AnonymousPipeServerStream[Each];
    private static string s_file = "";
    private static FileStream? s_held;
    private static Thread? s_joined;
    private static Process? s_process;

    [DllImport("libc", EntryPoint = "flock")]
    private static extern int Flock(int file, int operation);

    [DllImport("libc", EntryPoint = "pause")]
    private static extern int Pause();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForMonitor(int _)
    {
        lock (s_monitor)
            Console.Error.WriteLine("monitor");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForLock(int _)
    {
        lock (s_lock)
            Console.Error.WriteLine("lock");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForSemaphore(int _)
    {
        s_semaphore.Wait();
        Console.Error.WriteLine("semaphore");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForTask(int _)
    {
        s_task.Wait();
        Console.Error.WriteLine("task");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForJoin(int _)
    {
        s_joined!.Join();
        Console.Error.WriteLine("join");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForSleep(int _)
    {
        Thread.Sleep(Timeout.Infinite);
        Console.Error.WriteLine("sleep");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForSocket(int index)
    {
        s_sockets[index].Receive(new byte[1]);
        Console.Error.WriteLine("socket");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForFile(int _)
    {
        using FileStream file = File.Open(s_file, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        _ = Flock((int)file.SafeFileHandle.DangerousGetHandle(), LockExclusive);
        Console.Error.WriteLine("file");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForPipe(int index)
    {
        s_pipes[index].ReadByte();
        Console.Error.WriteLine("pipe");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForProcess(int _)
    {
        s_process!.WaitForExit();
        Console.Error.WriteLine("process");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForNative(int _)
    {
        _ = Pause();
        Console.Error.WriteLine("native");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForPulse(int _)
    {
        lock (s_pulse)
            Monitor.Wait(s_pulse);
        Console.Error.WriteLine("pulse");
    }

    private static Thread Start(string name, Action work)
    {
        Thread thread = new(() => { s_started.Signal(); work(); }) { Name = name, IsBackground = true };
        thread.Start();
        return thread;
    }

    private static void Hold(string name, Action enter)
    {
        using ManualResetEventSlim entered = new(false);
        Start(name, () => { enter(); entered.Set(); Thread.Sleep(Timeout.Infinite); });
        entered.Wait();
    }

    private static void Prepare()
    {
        Hold("holder-monitor", () => Monitor.Enter(s_monitor));
        Hold("holder-lock", s_lock.Enter);
        s_joined = Start("holder-join", () => Thread.Sleep(Timeout.Infinite));
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        for (int i = 0; i < Each; i++)
        {
            s_others[i] = new Socket(SocketType.Stream, ProtocolType.Tcp);
            s_others[i].Connect((IPEndPoint)listener.LocalEndpoint);
            s_sockets[i] = listener.AcceptSocket();
            s_pipes[i] = new AnonymousPipeServerStream(PipeDirection.In);
        }
        s_file = Path.GetTempFileName();
        s_held = File.Open(s_file, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite); // which locks it, together with others
        // It ends when this program does: nobody has the other end of its input then.
        s_process = Process.Start(new ProcessStartInfo("cat") { RedirectStandardInput = true })!;
    }

    private static void Main()
    {
        (string Name, Action<int> Work)[] kinds =
        {
            ("monitor", ForMonitor), ("lock", ForLock), ("semaphore", ForSemaphore), ("task", ForTask), ("join", ForJoin), ("sleep", ForSleep),
            ("socket", ForSocket), ("file", ForFile), ("pipe", ForPipe), ("process", ForProcess), ("native", ForNative), ("pulse", ForPulse),
        };
        Prepare();
        foreach ((string name, Action<int> work) in kinds)
            for (int i = 0; i < Each; i++)
            {
                int index = i;
                Start($"{name}-{i}", () => work(index));
            }
        s_started.Wait();
        Console.WriteLine($"{{\"ready\":true,\"pid\":{Environment.ProcessId}}}");
        while (Console.In.ReadLine() != null)
            continue;
        s_held!.Dispose();
        File.Delete(s_file);
    }
}
