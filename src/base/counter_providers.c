// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/counter_providers.h"

const struct nt_counter_provider nt_counter_providers[NT_COUNTER_PROVIDERS] = {
	{ "Microsoft.AspNetCore.Hosting", true, true, true },
	{ "Microsoft-AspNetCore-Server-Kestrel", true, false, false },
	{ "Microsoft.AspNetCore.Server.Kestrel", false, true, true },
	{ "Microsoft.AspNetCore.Http.Connections", true, true, false },
	{ "Microsoft.AspNetCore.Routing", false, true, false },
	{ "Microsoft.AspNetCore.RateLimiting", false, true, false },
	{ "Microsoft.AspNetCore.Diagnostics", false, true, false },
	{ "System.Net.Http", true, true, true },
	{ "System.Net.NameResolution", true, true, false },
	{ "System.Net.Security", true, false, false },
	{ "System.Net.Sockets", true, false, false },
	{ "Npgsql", false, true, true },
	{ "MySqlConnector", false, true, true },
};
