// SPDX-License-Identifier: GPL-2.0-only
// What becomes of exceptions: each ends in a known way, and its message says in which.
using System;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Workload;

internal sealed class FateException : Exception
{
    public FateException(string message) : base(message)
    {
    }
}

internal static class Fates
{
    /// <summary>How many are thrown in one round: see Round().</summary>
    private const int InARound = 9;

    /// <summary>On a thread of its own, which ends the process.</summary>
    public static void Unhandled() => new Thread(static () => Throw("unhandled")) { Name = "doomed" }.Start();

    /// <summary>N rounds; returns how many exceptions were thrown.</summary>
    public static int Run(int rounds)
    {
        for (int i = 0; i < rounds; i++)
            Round();
        return rounds * InARound;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Round()
    {
        CatchesPlainly();
        CatchesAgain();
        CatchesAfterFinally();
        CatchesAfterFilter();
        CatchesAnother();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Throw(string message) => throw new FateException(message);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CatchesPlainly()
    {
        try
        {
            Throw("caught");
        }
        catch (FateException)
        {
        }
    }

    /// <summary>Thrown twice: the runtime counts it twice, and it is caught twice.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CatchesAgain()
    {
        try
        {
            ThrowsAgain();
        }
        catch (FateException)
        {
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ThrowsAgain()
    {
        try
        {
            Throw("again");
        }
        catch (FateException)
        {
            throw;
        }
    }

    /// <summary>While one is on its way, a finally block throws another and catches that.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CatchesAfterFinally()
    {
        try
        {
            ThrowsWithFinally();
        }
        catch (FateException)
        {
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ThrowsWithFinally()
    {
        try
        {
            Throw("outer");
        }
        finally
        {
            CatchesInFinally();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CatchesInFinally()
    {
        try
        {
            Throw("inner");
        }
        catch (FateException)
        {
        }
    }

    /// <summary>A filter throws: the runtime takes that for "no", and nobody ever catches what it threw.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CatchesAfterFilter()
    {
        try
        {
            Throw("filtered");
        }
        catch (FateException) when (ThrowsInFilter())
        {
        }
        catch (FateException)
        {
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool ThrowsInFilter()
    {
        Throw("swallowed");
        return true;
    }

    /// <summary>A finally block throws another, which takes the place of the first: that is caught by nobody.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CatchesAnother()
    {
        try
        {
            ThrowsAnother();
        }
        catch (FateException)
        {
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ThrowsAnother()
    {
        try
        {
            Throw("replaced");
        }
        finally
        {
            Throw("replacing");
        }
    }
}
