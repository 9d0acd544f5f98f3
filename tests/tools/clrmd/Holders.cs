// SPDX-License-Identifier: GPL-2.0-only
// Who holds what in a core dump, by ClrMD's reading of it and the plain meaning of the words. (Where static fields of .NET 10 lie it does not know.) Questions come as lines:
//   held TYPE       "BYTES:COUNT" for each object of the type: what can be reached from the roots, and cannot any more when this object is not followed
//   path A|B|...|Z  how many objects of A there are with a B that refers to them, and so on to a Z that a root leads to
using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Diagnostics.Runtime;

sealed class Holders
{
    readonly Dictionary<ulong, (string Type, long Bytes, List<ulong> Edges)> objects = [];
    readonly List<ulong> roots = [];

    public Holders(ClrRuntime runtime)
    {
        foreach (ClrObject item in runtime.Heap.EnumerateObjects())
            if (item.Type is { IsFree: false, Name: string name })
                objects[item.Address] = (Plain(name), (long)item.Size, [.. item.EnumerateReferences(carefully: false, considerDependantHandles: true).Select(to => to.Address)]);
        foreach (ClrRoot root in runtime.Heap.EnumerateRoots())
            if (objects.ContainsKey(root.Object.Address))
                roots.Add(root.Object.Address);
    }

    // Without what others spell differently.
    static string Plain(string name) => name.Replace(" ", "").Replace("+", ".");

    HashSet<ulong> Reachable(ulong without)
    {
        var seen = new HashSet<ulong>(roots.Where(address => address != without));
        var stack = new Stack<ulong>(seen);
        while (stack.TryPop(out ulong at))
            foreach (ulong to in objects[at].Edges)
                if (to != without && objects.ContainsKey(to) && seen.Add(to))
                    stack.Push(to);
        return seen;
    }

    string Held(string type)
    {
        HashSet<ulong> all = Reachable(0);
        return string.Join(' ', objects.Where(item => item.Value.Type == type && all.Contains(item.Key)).Select(item =>
        {
            var held = new HashSet<ulong>(all);
            held.ExceptWith(Reachable(item.Key));
            return $"{held.Sum(address => objects[address].Bytes)}:{held.Count}";
        }));
    }

    string Path(string[] steps)
    {
        HashSet<ulong> at = [.. Reachable(0).Where(address => objects[address].Type == steps[^1])];
        foreach (string type in steps.Reverse().Skip(1))
            at = [.. at.SelectMany(address => objects[address].Edges).Where(to => objects.TryGetValue(to, out var item) && item.Type == type)];
        return at.Count.ToString();
    }

    public string Answer(string question) =>
        question.Split(' ', 2) switch
        {
            ["held", string type] => Held(type),
            ["path", string path] => Path(path.Split('|')),
            _ => "?",
        };
}
