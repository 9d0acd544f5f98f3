// SPDX-License-Identifier: GPL-2.0-only
using System;
using System.Threading;

namespace Shop;

internal enum Incident
{
    SyncOverAsync,
    StaticLeak,
    LohChurn,
    LockConvoy,
    ExceptionFlood,
    CatastrophicRegex,
    CompilePerRequest,
    ConnectionPerRequest,
    HeavySerialization,
    Deadlock,
    FinalizerBacklog,
    Crash,
}

/// <summary>What is wrong at the moment: the version of the shop that was deployed has that mistake.</summary>
internal static class Incidents
{
    private static readonly bool[] s_on = new bool[Enum.GetValues<Incident>().Length];

    public static bool On(Incident incident) => Volatile.Read(ref s_on[(int)incident]);

    /// <summary>By its name, "lock-convoy"; false when there is none of that name.</summary>
    public static bool Set(string name, bool on)
    {
        if (!Enum.TryParse(name.Replace("-", ""), ignoreCase: true, out Incident incident) || !Enum.IsDefined(incident))
            return false;
        Volatile.Write(ref s_on[(int)incident], on);
        return true;
    }
}
