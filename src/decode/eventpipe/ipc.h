/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The runtime's diagnostics protocol, DOTNET_IPC_V1 (dotnet/diagnostics, documentation/design-docs/ipc-protocol.md): requests as bytes, and what the
 * replies say. Sockets are target/port/diagnostics.h. A connection carries one request and its reply; after CollectTracing the trace follows on it.
 */
#ifndef NT_DECODE_IPC_H
#define NT_DECODE_IPC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nettop/status.h"

enum {
	NT_IPC_HEADER_BYTES = 20,
	NT_IPC_ADVERTISE_BYTES = 34,
	NT_IPC_COOKIE_BYTES = 16,
	NT_IPC_REQUEST_MAX = 16 * 1024, /* of one of ours; the format's own limit is 65535 */
	NT_IPC_REPLY_MAX = 16 << 20,    /* an environment; argument lists and environments of Linux stay below 6 MB, as UTF-16 twice that */
};

/* Command set << 8 | command. */
enum nt_ipc_command {
	NT_IPC_CREATE_CORE_DUMP3 = 0x103, /* 7: "CreateCoreDump", with a text when it fails */
	NT_IPC_STOP_TRACING = 0x201,
	NT_IPC_COLLECT_TRACING2 = 0x203, /* .NET 5 */
	NT_IPC_COLLECT_TRACING3 = 0x204, /* 9, measured: may leave out stacks. The next one can do all that it can */
	NT_IPC_COLLECT_TRACING4 = 0x205, /* 9: says what the rundown is of */
	NT_IPC_COLLECT_TRACING5 = 0x206, /* 10: filters by event */
	NT_IPC_PROCESS_INFO = 0x400,     /* 5 */
	NT_IPC_RESUME_RUNTIME = 0x401,
	NT_IPC_PROCESS_ENVIRONMENT = 0x402,
	NT_IPC_SET_ENVIRONMENT = 0x403,  /* 6: "SetEnvironmentVariable" */
	NT_IPC_PROCESS_INFO2 = 0x404,    /* 6: with entry assembly and version */
	NT_IPC_ENABLE_PERF_MAP = 0x405,  /* 8 */
	NT_IPC_DISABLE_PERF_MAP = 0x406, /* 8 */
	NT_IPC_PROCESS_INFO3 = 0x408,    /* 8: with the runtime identifier */
	/* SetEnvironmentVariable with a value that is null: on the wire the same command, but not every runtime survives it. */
	NT_IPC_UNSET_ENVIRONMENT = 0x10000 | NT_IPC_SET_ENVIRONMENT,
};

/* ---- requests: each writes into out[0..size) and returns the bytes written, 0 when they do not fit ---- */

/* A command without a payload: information, environment, perf map off, resume. */
size_t nt_ipc_request(enum nt_ipc_command command, uint8_t *out, size_t size);

enum nt_ipc_perf_map { NT_IPC_PERF_MAP_ALL = 1, NT_IPC_PERF_MAP_JITDUMP = 2, NT_IPC_PERF_MAP_ONLY = 3 };

/* When it is on already, the runtime appends all methods once more. */
size_t nt_ipc_enable_perf_map(enum nt_ipc_perf_map type, uint8_t *out, size_t size);

/*
 * A variable of the runtime's own environment, which its children inherit. NULL takes it away: NT_IPC_UNSET_ENVIRONMENT, which kills some; "" makes it
 * empty.
 */
size_t nt_ipc_set_environment(const char *name, const char *value, uint8_t *out, size_t size);

size_t nt_ipc_stop_tracing(uint64_t session_id, uint8_t *out, size_t size);

/* How much of its memory the process writes. */
enum nt_ipc_dump { NT_IPC_DUMP_MINI = 1, NT_IPC_DUMP_HEAP = 2, NT_IPC_DUMP_TRIAGE = 3, NT_IPC_DUMP_FULL = 4 };

/* Besides, or in place of that. There are others, which make it write to the standard output of the process. */
enum nt_ipc_dump_flags { NT_IPC_DUMP_REPORT_ONLY = 8 /* PATH.crashreport.json: the stacks of all threads */ };

/* `path`: as the process sees it; what lies there is written over. The reply comes when it is written; all threads stand still until then. */
size_t nt_ipc_core_dump(const char *path, enum nt_ipc_dump type, unsigned flags, uint8_t *out, size_t size);

enum nt_ipc_filter {
	NT_IPC_FILTER_NONE,
	NT_IPC_FILTER_ONLY,   /* nothing but these events */
	NT_IPC_FILTER_EXCEPT, /* all but these */
};

/* What one provider shall send. Of a provider that is named twice the runtime takes the first entry only. */
struct nt_ipc_provider {
	const char *name; /* UTF-8 */
	uint64_t keywords;
	uint32_t level;             /* 1 critical to 5 verbose */
	const char *arguments;      /* "k=v;k=v"; NULL = none */
	enum nt_ipc_filter filter;  /* needs NT_IPC_COLLECT_TRACING5, see nt_ipc_can_filter() */
	const uint32_t *filter_ids; /* borrowed */
	size_t filter_count;
};

struct nt_ipc_session {
	uint32_t buffer_mb;
	uint64_t rundown_keyword; /* what the list of all methods at the stop holds; 0 = no such list */
	bool stackwalk;
	const struct nt_ipc_provider *providers; /* borrowed */
	size_t provider_count;
};

/* The newest form of the command that this runtime has, by its major version. 0: none that nettop speaks (before .NET 5). */
enum nt_ipc_command nt_ipc_collect_command(unsigned runtime_major);

static inline bool nt_ipc_can_filter(enum nt_ipc_command collect)
{
	return collect == NT_IPC_COLLECT_TRACING5;
}

/*
 * `collect` is what nt_ipc_collect_command() gave. What the older forms cannot say is left out: filters before 5; before 4 any rundown keyword means
 * the runtime's default list; before 3 stacks are always taken.
 */
size_t nt_ipc_collect_tracing(enum nt_ipc_command collect, const struct nt_ipc_session *session, uint8_t *out, size_t size);

/* ---- replies ---- */

/* What a request of these is, by its bytes. 0: none of them. */
enum nt_ipc_command nt_ipc_request_command(const uint8_t *request, size_t length);

/* "EnablePerfMap", by the header of a request. Static. */
const char *nt_ipc_request_name(const uint8_t *request, size_t length);

/*
 * How many bytes the reply to `request` has in all, from its first `have` bytes. NT_AGAIN: *total more than `have` are needed to tell; never more than
 * belong to the reply, so that nothing of a trace behind it is taken. NT_ERR_MALFORMED: no reply of this protocol, or too long.
 */
enum nt_status nt_ipc_reply_length(const uint8_t *request, size_t request_length, const uint8_t *bytes, size_t have, size_t *total,
				   struct nt_error *err);

struct nt_ipc_reply {
	const uint8_t *payload; /* behind the header; borrowed */
	size_t length;
};

/*
 * A whole reply. The runtime's refusal is an error in words, its own where it says some: UNSUPPORTED (a command that it does not know), FAILED. *out borrows from
 * bytes.
 */
enum nt_status nt_ipc_reply_parse(const uint8_t *bytes, size_t length, struct nt_ipc_reply *out, struct nt_error *err);

/* To EnablePerfMap and DisablePerfMap: an HRESULT inside a reply that is a success by its header. */
enum nt_status nt_ipc_reply_result(const struct nt_ipc_reply *reply, struct nt_error *err);

/* To CollectTracing and StopTracing. */
enum nt_status nt_ipc_reply_session(const struct nt_ipc_reply *reply, uint64_t *session_id, struct nt_error *err);

/* Texts are UTF-8, unescaped, owned; NULL = this form of the command does not tell. */
struct nt_ipc_info {
	uint64_t pid; /* as the target sees itself */
	uint8_t cookie[NT_IPC_COOKIE_BYTES];
	char *command;         /* its command line */
	char *os, *arch;       /* "Linux", "x64" */
	char *entry_assembly;  /* since ProcessInfo2 */
	char *runtime_version; /* "10.0.12": since ProcessInfo2 */
	char *runtime_id;      /* "linux-x64": since ProcessInfo3 */
};

/* `command`: which of the three was asked. On an error *out is empty. */
enum nt_status nt_ipc_reply_info(enum nt_ipc_command command, const struct nt_ipc_reply *reply, struct nt_ipc_info *out,
				 struct nt_error *err);

void nt_ipc_info_fini(struct nt_ipc_info *info);

/* The environment as the target has it now, NUL-separated as in /proc/PID/environ; *text is the caller's. */
enum nt_status nt_ipc_reply_environment(const struct nt_ipc_reply *reply, char **text, size_t *length, struct nt_error *err);

/* ---- advertisements: what a runtime says that connects by itself (ipc-protocol.md, "Advertise") ---- */

bool nt_ipc_is_advertisement(const uint8_t *bytes, size_t length);

/* Of NT_IPC_ADVERTISE_BYTES bytes that are one: NT_IPC_COOKIE_BYTES that no other life of a process has. Borrowed. */
const uint8_t *nt_ipc_advertised_cookie(const uint8_t *bytes);

/* "the runtime does not know this command (0x80131385)": an HRESULT in words. Returns buf. */
const char *nt_ipc_result_text(uint32_t result, char *buf, size_t size);

#endif
