/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rundown: the list of all methods and modules that a runtime gives at the end of an EventPipe session that asks for it. ClrEtwAll.man, provider
 * Microsoft-Windows-DotNETRuntimeRundown. Methods come first, each with its IL map behind it when that is asked for; their modules last.
 */
#ifndef NT_DECODE_RUNDOWN_EVENTS_H
#define NT_DECODE_RUNDOWN_EVENTS_H

#include "nettop/event.h"

#define NT_RUNDOWN_PROVIDER "Microsoft-Windows-DotNETRuntimeRundown"

enum nt_rundown_id {
	NT_RUNDOWN_GC_SETTINGS = 10,
	NT_RUNDOWN_METHOD = 144, /* MethodDCEndVerbose */
	NT_RUNDOWN_IL_MAP = 150, /* MethodDCEndILToNativeMap: il_map.h */
	NT_RUNDOWN_MODULE = 154, /* ModuleDCEnd */
};

/* UTF-16LE, unaligned; borrowed from the payload. */
struct nt_rundown_text {
	const uint8_t *units;
	size_t count;
};

struct nt_rundown_method {
	uint64_t id, module_id;
	uint64_t start;
	uint32_t size, token; /* of its code; MethodDef, 0 of a dynamic method */
	bool jitted;          /* else it was compiled ahead of time (ReadyToRun) */
	enum nt_tier tier;    /* of a jitted one */
	struct nt_rundown_text type, name, signature;
};

struct nt_rundown_module {
	uint64_t id;
	struct nt_rundown_text path; /* of the file with its IL; a name alone, or nothing, when there is no such file */
};

/* GCSettings: what the collector has, whatever it was asked for. */
struct nt_rundown_gc_settings {
	uint64_t hard_limit_bytes; /* 0 = there is none */
	uint64_t loh_threshold_bytes;
	uint64_t gen0_size_bytes, gen0_max_bytes; /* 0 = nobody set it */
	uint32_t high_memory_pct;                 /* likewise */
	bool concurrent;
};

/* NT_ERR_MALFORMED: the payload ends early. */
enum nt_status nt_rundown_method_parse(const uint8_t *payload, size_t length, struct nt_rundown_method *out);
enum nt_status nt_rundown_module_parse(const uint8_t *payload, size_t length, struct nt_rundown_module *out);
enum nt_status nt_rundown_gc_settings_parse(const uint8_t *payload, size_t length, struct nt_rundown_gc_settings *out);

/*
 * The method as the perf map would write it, `RET [Module] Type::Method(ARGS)[Tier]`, in two parts of one text: the module's name belongs before byte *split. Returns
 * the bytes written; 0: it has more than `size`.
 */
size_t nt_rundown_line(const struct nt_rundown_method *method, char *out, size_t size, size_t *split);

#endif
