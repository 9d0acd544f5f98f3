// SPDX-License-Identifier: GPL-2.0-only
// Says that it is there and does what its input says until that ends: "gc", "throw", "alloc", "child PROGRAM [ARGUMENT]", whose output it passes on, "names MILLISECONDS", "native".
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;

class Tiny
{
    static object? kept;

    static void Main()
    {
        Console.WriteLine("ready");
        while (Console.ReadLine() is { } line)
        {
            string[] words = line.Split(' ');
            Do(words);
            Console.WriteLine($"done {line}");
        }
    }

    static void Do(string[] words)
    {
        switch (words[0])
        {
            case "gc":
                GC.Collect();
                break;
            case "throw":
                Throw();
                break;
            case "alloc":
                for (int i = 0; i < 1000; i++)
                    kept = new byte[10_000];
                break;
            case "child":
                Run(words);
                break;
            case "native":
                Native.CallBoth();
                break;
            case "names":
                Shop_Floor.Goods.Names.CallAll(int.Parse(words[1]));
                break;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Throw()
    {
        try
        {
            throw new InvalidOperationException();
        }
        catch (InvalidOperationException e)
        {
            kept = e;
        }
    }

    static void Run(string[] words)
    {
        using var child = Process.Start(new ProcessStartInfo(words[1], words[2..]) { RedirectStandardOutput = true, RedirectStandardInput = true })!;
        child.StandardInput.Close();
        Console.Write(child.StandardOutput.ReadToEnd());
        child.WaitForExit();
    }
}
