// SPDX-License-Identifier: GPL-2.0-only
// The engine of PowerShell at work: the script of the first argument, again and again; a line for each time.
using System;
using System.Management.Automation;
using System.Management.Automation.Runspaces;

using Runspace runspace = RunspaceFactory.CreateRunspace(InitialSessionState.CreateDefault2());
runspace.Open();
for (;;)
{
    using PowerShell shell = PowerShell.Create(runspace);
    foreach (PSObject result in shell.AddScript(args[0]).Invoke())
        Console.WriteLine(result);
    if (shell.HadErrors)
        throw new InvalidOperationException(shell.Streams.Error[0].ToString());
}
