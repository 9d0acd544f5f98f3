/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a nettrace stream says of the process that it is of, at its end: ProcessInfo of the provider Microsoft-DotNETCore-EventPipe (ep-event-source.c of the runtime: the command line, the
 * system, the architecture, as texts), and with a rundown RuntimeInformationDCStart (ClrEtwAll.man).
 */
#ifndef NT_DECODE_PROCESS_EVENTS_H
#define NT_DECODE_PROCESS_EVENTS_H

#include "decode/eventpipe/nettrace.h"

#define NT_STREAM_PROVIDER "Microsoft-DotNETCore-EventPipe"

/* Is this kind of event one of the two? */
bool nt_process_info_is(const struct nt_nettrace_meta *meta);
bool nt_runtime_start_is(const struct nt_nettrace_meta *meta);

/* The command line, its words with blanks between them, into `out` of `size` bytes, with a NUL. NT_ERR_MALFORMED: the payload ends early; `out` is empty then. */
enum nt_status nt_process_info_command(const uint8_t *payload, size_t length, char *out, size_t size);

struct nt_runtime_start {
	unsigned major, minor, patch; /* of .NET: 10.0.12 */
	bool is_core;                 /* no .NET Framework, whose numbers mean something else */
	bool server_gc, concurrent_gc;
};

/* NT_ERR_MALFORMED: the payload ends early. */
enum nt_status nt_runtime_start_parse(const uint8_t *payload, size_t length, struct nt_runtime_start *out);

#endif
