/* SPDX-License-Identifier: GPL-2.0-only */
/* Where debug files can be asked for by the build id of their image. */
#ifndef NT_SOURCE_SYMBOL_SERVERS_H
#define NT_SOURCE_SYMBOL_SERVERS_H

#include <stdbool.h>
#include <stddef.h>

#include "nettop/status.h"
#include "source/image/build_id.h"

/* Has the files of Microsoft's builds of .NET, whose libraries are stripped. */
#define NT_SYMBOL_SERVER_DEFAULT "https://msdl.microsoft.com/download/symbols"

/* How a server is asked. */
enum nt_symbol_protocol {
	NT_SYMBOLS_SSQP,       /* Microsoft's "Simple Symbol Query Protocol": the key of an ELF file's symbols */
	NT_SYMBOLS_DEBUGINFOD, /* debuginfod(8) of elfutils */
	NT_SYMBOL_PROTOCOL_COUNT
};

struct nt_symbol_server {
	char *url;               /* owned; without '/' at its end */
	unsigned protocols;      /* 1 << enum nt_symbol_protocol */
	struct nt_error failure; /* nobody answers there: not asked again */
};

struct nt_symbol_servers {
	struct nt_symbol_server *items; /* owned */
	size_t count, capacity;
	uint64_t left_bytes; /* that may still come from all of them together; the user of the set may lower it */
};

/* In one run. All that .NET and its libraries have is some 2 GB. */
#define NT_SYMBOL_SERVERS_MOST_BYTES (UINT64_C(16) << 30)

/*
 * The one that is given, which is asked in each way; NULL: Microsoft's, and those of $DEBUGINFOD_URLS. USAGE: what is given is no http or https URL. End with _fini() in any
 * case.
 */
enum nt_status nt_symbol_servers_init(struct nt_symbol_servers *servers, const char *given, struct nt_error *err);
void nt_symbol_servers_fini(struct nt_symbol_servers *servers);

/* Where the server would have the debug file of this image; the caller's. */
char *nt_symbol_url(const struct nt_symbol_server *server, enum nt_symbol_protocol protocol, const struct nt_build_id *id);

#endif
