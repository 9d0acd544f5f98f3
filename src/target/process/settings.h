/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a target is started with so that more can be seen of it: the one place where these settings are written. What each is for, in which mode, and at
 * which cost: target/launch/launch_variables.def.
 */
#ifndef NT_TARGET_SETTINGS_H
#define NT_TARGET_SETTINGS_H

/* The runtime's own EventSource, and its provider's name in DOTNET_LTTngConfig. */
#define NT_RUNTIME_EVENT_SOURCE "Microsoft-Windows-DotNETRuntime"

#define NT_SET_EVENT_LOG      "DOTNET_EnableEventLog=1"
#define NT_SET_NO_SOURCE      "DOTNET_EventSourceFilter=NoSuchSource"
#define NT_SET_RUNTIME_SOURCE "DOTNET_EventSourceFilter=" NT_RUNTIME_EVENT_SOURCE
#define NT_SET_EVERY_NAME     "DOTNET_EventNameFilter="
#define NT_SET_PROVIDER       "DOTNET_LTTng=1"
#define NT_SET_PERF_MAP       "DOTNET_PerfMapEnabled=3"
/* With which runtimes wait at their start (startup_port.h). */
#define NT_STARTUP_PORT_VARIABLE "DOTNET_DiagnosticPorts"
/*
 * Keywords and level of everything that nettop shows, and nothing that floods. Not that of exceptions, 8000: over LTTng the first without a message ends the
 * program.
 */
#define NT_SET_LTTNG_CONFIG "DOTNET_LTTngConfig=" NT_RUNTIME_EVENT_SOURCE ":81000014011:5"

#define NT_VARIABLES_MODE_N NT_SET_EVENT_LOG " " NT_SET_NO_SOURCE " " NT_SET_LTTNG_CONFIG
#define NT_VARIABLES_MODE_F NT_SET_EVENT_LOG " " NT_SET_RUNTIME_SOURCE

/* What mode F costs the target, measured on .NET 10.0.12 as CPU time of fixed work: while nobody watches. */
#define NT_COST_MODE_F "16 % of CPU time"

/* What stands before variables where a fix is read, not pasted. */
#define NT_AT_START "restart the target with "

#endif
