/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a target is started with so that more can be seen of it: the one place where these variables are written. The modes and what each costs: README,
 * "What the target needs, and why".
 */
#ifndef NETTOP_SETTINGS_H
#define NETTOP_SETTINGS_H

/* The runtime's own EventSource, and its provider's name in DOTNET_LTTngConfig. */
#define NT_RUNTIME_EVENT_SOURCE "Microsoft-Windows-DotNETRuntime"

/* Keywords and level of everything that nettop shows, and nothing that floods. */
#define NT_LTTNG_CONFIG "DOTNET_LTTngConfig=" NT_RUNTIME_EVENT_SOURCE ":8100001C011:5"

#define NT_VARIABLES_MODE_N "DOTNET_EnableEventLog=1 DOTNET_EventSourceFilter=NoSuchSource " NT_LTTNG_CONFIG
#define NT_VARIABLES_MODE_F "DOTNET_EnableEventLog=1 DOTNET_EventSourceFilter=" NT_RUNTIME_EVENT_SOURCE
#define NT_VARIABLES_NAMES  "DOTNET_PerfMapEnabled=3"

/* What stands before variables where a fix is read, not pasted. */
#define NT_AT_START "restart the target with "

#endif
