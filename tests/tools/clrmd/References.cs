// SPDX-License-Identifier: GPL-2.0-only
// What refers to what in a core dump, and what keeps objects alive, as ClrMD reads it. Lines:
//   edges COUNT FROM TO     (a tab between the two) references of objects of one type to objects of another one; what a dependent handle keeps is among them
//   handle ADDRESS          an object that a handle keeps alive, once for each handle
//   finalizer ADDRESS       an object that waits for its finalizer
//   stack ADDRESS           an object that a frame of a thread has
using System;
using System.Collections.Generic;
using Microsoft.Diagnostics.Runtime;

static class References
{
    static void TellEdges(ClrHeap heap)
    {
        var edges = new Dictionary<(string, string), long>();
        foreach (ClrObject item in heap.EnumerateObjects())
        {
            if (item.Type is not { IsFree: false, Name: string from })
                continue;
            foreach (ClrObject to in item.EnumerateReferences(carefully: false, considerDependantHandles: true))
                if (to.Type?.Name is string name)
                    edges[(from, name)] = edges.GetValueOrDefault((from, name)) + 1;
        }
        foreach (((string from, string to), long count) in edges)
            Console.Out.WriteLine($"edges {count} {from}\t{to}");
    }

    public static void Tell(ClrRuntime runtime)
    {
        TellEdges(runtime.Heap);
        foreach (ClrRoot root in runtime.Heap.EnumerateRoots())
        {
            string kind = root.RootKind == ClrRootKind.Stack ? "stack" : root.RootKind == ClrRootKind.FinalizerQueue ? "finalizer" : "handle";
            if (!root.IsInterior)
                Console.Out.WriteLine($"{kind} {root.Object.Address}");
        }
    }
}
