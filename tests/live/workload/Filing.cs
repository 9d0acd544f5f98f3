// SPDX-License-Identifier: GPL-2.0-only
// Calls of the system on files and sockets, so many and no more, each from a method of its own.
using System;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using Microsoft.Win32.SafeHandles;

namespace Workload;

internal static class Filing
{
    private const int ReadBytes = 16, WriteBytes = 32, SendBytes = 100, OftenTimes = 3, Seldom = 10, Rare = 100;

    private static readonly byte[] s_buffer = new byte[4096];
    private static long s_bytes;

    /// <summary>The mix: of each round a write, three reads and one more; of ten an open, and one of what is not there; of a hundred a connection, where there is a port.</summary>
    public static long Run(int rounds, int port, string folder)
    {
        string read = Path.Combine(folder, "read"), written = Path.Combine(folder, "written");
        string opened = Path.Combine(folder, "opened"), absent = Path.Combine(folder, "absent");
        File.WriteAllBytes(read, s_buffer);
        File.WriteAllBytes(opened, s_buffer);
        s_bytes = 0;
        using SafeFileHandle source = File.OpenHandle(read);
        using SafeFileHandle sink = File.OpenHandle(written, FileMode.Create, FileAccess.Write);
        for (int round = 0; round < rounds; round++)
        {
            Write(sink, round);
            for (int i = 0; i < OftenTimes; i++)
                ReadOften(source);
            ReadSeldom(source);
            if (round % Seldom == 0)
            {
                Open(opened);
                OpenAbsent(absent);
            }
            if (port > 0 && round % Rare == 0)
                Connect(port);
        }
        return s_bytes;
    }

    // What is done last is no call, which would take the place of its caller on the stack.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Write(SafeFileHandle file, int round)
    {
        RandomAccess.Write(file, s_buffer.AsSpan(0, WriteBytes), (long)round * WriteBytes);
        s_bytes += WriteBytes;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReadOften(SafeFileHandle file)
    {
        s_bytes += RandomAccess.Read(file, s_buffer.AsSpan(0, ReadBytes), 0);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReadSeldom(SafeFileHandle file)
    {
        s_bytes += RandomAccess.Read(file, s_buffer.AsSpan(0, ReadBytes), ReadBytes);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Open(string path)
    {
        using SafeFileHandle file = File.OpenHandle(path);
        s_bytes += RandomAccess.Read(file, s_buffer.AsSpan(0, ReadBytes), 0);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void OpenAbsent(string path)
    {
        try
        {
            File.OpenHandle(path).Dispose();
        }
        catch (FileNotFoundException)
        {
            s_bytes++;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Connect(int port)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Connect(IPAddress.Loopback, port);
        socket.Send(s_buffer, SendBytes, SocketFlags.None);
        int got;
        while ((got = socket.Receive(s_buffer)) > 0)
            s_bytes += got;
    }
}
