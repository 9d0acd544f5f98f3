// SPDX-License-Identifier: GPL-2.0-only
// One handler for each kind of event that nettop knows, which reads the fields that nettop keeps (src/decode/clr/clr_events.def).
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Etlx;
using Microsoft.Diagnostics.Tracing.Parsers;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

namespace NettraceReader;

internal sealed class Fields
{
    /// <summary>How many events have been seen.</summary>
    public long Events;

    // What has been read goes into it, so that reading is not left out.
    private long _sum;
    private readonly bool _stacks;

    /// <summary>With `stacks`, the parser must be that of a TraceLog.</summary>
    public Fields(ClrTraceEventParser clr, bool stacks)
    {
        _stacks = stacks;
        Collections(clr);
        Methods(clr);
        Pool(clr);
        clr.ContentionStart += e => Keep(e, (long)e.ContentionFlags, (long)e.LockID, (long)e.AssociatedObjectID, (long)e.LockOwnerThreadID);
        clr.ContentionStop += e => Keep(e, (long)e.ContentionFlags, (long)e.DurationNs);
        clr.ExceptionStart += e => Keep(e, e.ExceptionType.Length, e.ExceptionMessage.Length, (long)e.ExceptionEIP, e.ExceptionHRESULT, (long)e.ExceptionFlags);
        clr.AppDomainResourceManagementThreadCreated += e => Keep(e, (long)e.ManagedThreadID, (long)e.Flags, e.ManagedThreadIndex, e.OSThreadID);
        clr.AppDomainResourceManagementThreadTerminated += e => Keep(e, (long)e.ManagedThreadID);
        clr.AllocationSampling += e => Keep(e, (long)e.AllocationKind, (long)e.TypeID, e.TypeName.Length, (long)e.ObjectSize);
    }

    private void Collections(ClrTraceEventParser clr)
    {
        clr.GCStart += e => Keep(e, e.Count, (long)e.Reason, e.Depth, (long)e.Type);
        clr.GCStop += e => Keep(e, e.Count, e.Depth);
        clr.GCRestartEEStop += e => Keep(e);
        clr.GCRestartEEStart += e => Keep(e);
        clr.GCSuspendEEStop += e => Keep(e);
        clr.GCSuspendEEStart += e => Keep(e, (long)e.Reason, e.Count);
        clr.GCHeapStats += e => Keep(e, e.GenerationSize0, e.TotalPromotedSize0, e.GenerationSize1, e.TotalPromotedSize1, e.GenerationSize2,
            e.TotalPromotedSize2, e.GenerationSize3, e.TotalPromotedSize3, e.GenerationSize4, e.TotalPromotedSize4, e.FinalizationPromotedSize,
            e.FinalizationPromotedCount, e.PinnedObjectCount, e.SinkBlockCount, e.GCHandleCount);
        clr.GCAllocationTick += e => Keep(e, e.AllocationAmount64, (long)e.AllocationKind, (long)e.TypeID, e.TypeName.Length, e.ObjectSize);
        clr.GCFinalizersStop += e => Keep(e, e.Count);
        clr.GCFinalizersStart += e => Keep(e);
        clr.GCTriggered += e => Keep(e, (long)e.Reason);
        clr.GCGlobalHeapHistory += e => Keep(e, e.FinalYoungestDesired, e.NumHeaps, e.CondemnedGeneration, e.Gen0ReductionCount, (long)e.Reason,
            (long)e.GlobalMechanisms, (long)e.PauseMode, e.MemoryPressure);
        clr.GCPerHeapHistory += Generations;
    }

    // nettop sums up four members over all generations.
    private void Generations(GCPerHeapHistoryTraceData e)
    {
        long sum = e.HeapIndex;
        for (Gens generation = Gens.Gen0; (int)generation < e.EntriesInGenData; generation++)
        {
            GCPerHeapHistoryGenData data = e.GenData(generation);
            sum += data.SizeBefore + data.FreeListSpaceBefore + data.FreeObjSpaceBefore + data.SizeAfter + data.FreeListSpaceAfter + data.FreeObjSpaceAfter;
        }
        Keep(e, sum);
    }

    private void Methods(ClrTraceEventParser clr)
    {
        clr.MethodLoadVerbose += Method;
        clr.MethodUnloadVerbose += Method;
        clr.MethodJittingStarted += e => Keep(e, e.MethodID, e.ModuleID, e.MethodToken, e.MethodILSize, e.MethodNamespace.Length, e.MethodName.Length,
            e.MethodSignature.Length);
        clr.TieredCompilationPause += e => Keep(e);
        clr.TieredCompilationResume += e => Keep(e, e.NewMethodCount);
        clr.TieredCompilationBackgroundJitStart += e => Keep(e, e.PendingMethodCount);
        clr.TieredCompilationBackgroundJitStop += e => Keep(e, e.PendingMethodCount, e.JittedMethodCount);
    }

    private void Method(MethodLoadUnloadVerboseTraceData e) =>
        Keep(e, e.MethodID, e.ModuleID, (long)e.MethodStartAddress, e.MethodSize, (long)e.MethodFlags, e.MethodNamespace.Length, e.MethodName.Length,
            e.MethodSignature.Length, e.ReJITID);

    private void Pool(ClrTraceEventParser clr)
    {
        clr.ThreadPoolWorkerThreadStart += e => Keep(e, e.ActiveWorkerThreadCount, e.RetiredWorkerThreadCount);
        clr.ThreadPoolWorkerThreadStop += e => Keep(e, e.ActiveWorkerThreadCount, e.RetiredWorkerThreadCount);
        clr.ThreadPoolWorkerThreadWait += e => Keep(e, e.ActiveWorkerThreadCount, e.RetiredWorkerThreadCount);
        clr.ThreadPoolWorkerThreadAdjustmentSample += e => Keep(e, (long)e.Throughput);
        clr.ThreadPoolWorkerThreadAdjustmentAdjustment += e => Keep(e, (long)e.AverageThroughput, e.NewWorkerThreadCount, (long)e.Reason);
    }

    private void Keep(TraceEvent e, params System.ReadOnlySpan<long> values)
    {
        Events++;
        _sum += e.ThreadID + (long)e.TimeStampRelativeMSec + (_stacks ? (long)e.CallStackIndex() : 0);
        foreach (long value in values)
            _sum += value;
    }
}
