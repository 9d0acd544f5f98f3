// SPDX-License-Identifier: GPL-2.0-only
// Exceptions thrown on purpose.
using System;
using System.Runtime.CompilerServices;

namespace Workload;

internal sealed class DeliberateException : Exception
{
    public DeliberateException(string message) : base(message)
    {
    }
}

/// <summary>Its message is stored as null: the text that Message gives for it is made when somebody asks.</summary>
internal sealed class SilentException : Exception
{
}

internal static class Throwing
{
    /// <summary>Throws and catches N times without a message, by turns the class library's own type and one of ours.</summary>
    public static int ThrowSilently(int count)
    {
        int caught = 0;
        for (int i = 0; i < count; i++)
        {
            try
            {
                Counters.ExceptionsThrown++;
                throw i % 2 == 0 ? new Exception() : new SilentException();
            }
            catch (Exception)
            {
                caught++;
            }
        }
        return caught;
    }

    /// <summary>Throws and catches N times, two frames apart.</summary>
    public static int Throw(int count)
    {
        int caught = 0;
        for (int i = 0; i < count; i++)
        {
            try
            {
                Outer(i);
            }
            catch (DeliberateException)
            {
                caught++;
            }
        }
        return caught;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Outer(int number) => Inner(number);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Inner(int number)
    {
        Counters.ExceptionsThrown++;
        throw new DeliberateException("thrown on purpose, number " + number);
    }
}
