// SPDX-License-Identifier: GPL-2.0-only
// What TraceEvent, and so dotnet-trace, knows of the methods in a trace.
using System.IO;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Etlx;
using Microsoft.Diagnostics.Tracing.Parsers;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

namespace NettraceReader;

internal static class Names
{
    /// <summary>Each method that was loaded or is in the rundown, in the form of `nettrace_dump --methods`: ADDRESS SIZE TOKEN FLAGS TYPE, METHOD, SIGNATURE.</summary>
    public static int WriteMethods(string path, TextWriter output)
    {
        void Write(MethodLoadUnloadVerboseTraceData e) => output.WriteLine(
            $"{e.MethodStartAddress:x} {e.MethodSize:x} {e.MethodToken:x} {(uint)e.MethodFlags:x} {e.MethodNamespace}\t{e.MethodName}\t{e.MethodSignature}");
        using var source = new EventPipeEventSource(path);
        source.Clr.MethodLoadVerbose += Write;
        new ClrRundownTraceEventParser(source).MethodDCStopVerbose += Write;
        source.Process();
        return 0;
    }

    /// <summary>Each place of a call stack that lies in a managed method, as reports and flame graphs of dotnet-trace call it: ADDRESS NAME.</summary>
    public static int WriteFrames(string path, TextWriter output)
    {
        string file = TraceLog.CreateFromEventPipeDataFile(path, path + ".etlx");
        using (var log = new TraceLog(file))
            foreach (TraceCodeAddress place in log.CodeAddresses)
                if (place.Method is TraceMethod method)
                    output.WriteLine($"{place.Address:x} {method.FullMethodName}");
        File.Delete(file);
        return 0;
    }
}
