// SPDX-License-Identifier: GPL-2.0-only
// Asks a process for each of its requests, as one would with Microsoft's own client library, and throws away what comes.
//
// usage: listener PID SPECS      says "ready"; until SIGINT or SIGTERM
using System;
using System.Collections.Generic;
using System.Diagnostics.Tracing;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Diagnostics.NETCore.Client;

const long Events = 0x802;
using ManualResetEventSlim over = new();
using PosixSignalRegistration interrupted = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop), terminated = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);
DiagnosticsClient client = new(int.Parse(args[0]));
EventPipeProvider[] providers = [new("Microsoft-Diagnostics-DiagnosticSource", EventLevel.Informational, Events, new Dictionary<string, string> { ["FilterAndPayloadSpecs"] = args[1] })];
using EventPipeSession session = client.StartEventPipeSession(providers, requestRundown: false);
Console.WriteLine("ready");
Task read = session.EventStream.CopyToAsync(Stream.Null);
over.Wait();
session.Stop();
await read;

void Stop(PosixSignalContext context)
{
    context.Cancel = true;
    over.Set();
}
