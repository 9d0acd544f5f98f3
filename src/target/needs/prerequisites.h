/* SPDX-License-Identifier: GPL-2.0-only */
/* Room target/needs: what there must be for a full screen, and the least fix. */
/*
 * What there must be for a full screen, each thing described once: what is looked at, how it is judged, what is lost without it, the least fix. `nettop
 * doctor`, the screen's empty panels and the manual page say what this table says.
 */
#ifndef NT_TARGET_PREREQUISITES_H
#define NT_TARGET_PREREQUISITES_H

#include "nettop/source.h"
#include "target/needs/facts.h"

enum nt_prerequisite_id {
	NT_NEEDS_PERF_PARANOID,
	NT_NEEDS_CAP_PERFMON,
	NT_NEEDS_PERF_OPEN,
	NT_NEEDS_KPTR,
	NT_NEEDS_PERF_MLOCK,
	NT_NEEDS_TRACEFS,
	NT_NEEDS_LTTNG_DAEMONS,
	NT_NEEDS_TRACING_GROUP,
	NT_NEEDS_LTTNG_RINGS,
	NT_NEEDS_OPEN_FILES,
	NT_NEEDS_TARGET_FILES,
	NT_NEEDS_TARGET_MEMORY,
	NT_NEEDS_MAP_FILES,
	NT_NEEDS_PID_NAMESPACE,
	NT_NEEDS_MOUNT_NAMESPACE,
	NT_NEEDS_RUNTIME,
	NT_NEEDS_PROVIDER,
	NT_NEEDS_UST,
	NT_NEEDS_EVENT_LOG,
	NT_NEEDS_EVENT_FILTERS,
	NT_NEEDS_LOCK_EVENTS,
	NT_NEEDS_POOL_EVENTS,
	NT_NEEDS_EXCEPTIONS,
	NT_NEEDS_DIAGNOSTICS,
	NT_NEEDS_SOCKET,
	NT_NEEDS_ALLOCATION_SAMPLES,
	NT_NEEDS_PERF_MAP,
	NT_NEEDS_WRITE_XOR_EXECUTE,
	NT_NEEDS_JITDUMP,
	NT_PREREQUISITE_COUNT
};

enum nt_verdict_state {
	NT_VERDICT_OK,
	NT_VERDICT_MISSING,
	NT_VERDICT_FORBIDDEN,
	NT_VERDICT_UNKNOWN, /* what is looked at cannot be seen: `found` says why */
};

/* One judgement. All texts are escaped. */
struct nt_verdict {
	enum nt_verdict_state state;
	unsigned failure; /* index into the prerequisite's failures; no meaning when it is OK */
	int64_t number;   /* for {number} of the fix */
	char found[320];  /* what there is */
};

/* A way in which it is not there. */
struct nt_failure {
	const char *lost; /* what that takes away: "no CPU samples". NULL ends the list */
	/*
	 * What brings it: a command line, or variables for the target's next start. "" = nothing does. {pid} {user} {nettop} {bridge} {number} and
	 * {library_path} (what the target has on LD_LIBRARY_PATH already, after a colon) stand for the facts.
	 */
	const char *fix;
	bool at_start; /* the fix is variables: the target has to start again with them */
};

enum nt_scope {
	NT_SCOPE_MACHINE, /* can be judged without a target */
	NT_SCOPE_PROCESS, /* of any process */
	NT_SCOPE_PORT,    /* of a .NET process, compiled ahead of time or not */
	NT_SCOPE_RUNTIME, /* of one with libcoreclr.so */
};

/* What depends on it. */
enum nt_need {
	NT_NEED_NOTHING,
	NT_NEED_SCREEN,      /* something of the screen */
	NT_NEED_LTTNG_ALONE, /* the runtime's events, where LTTng would have to bring them because EventPipe cannot */
	NT_NEED_LTTNG,       /* the same, and while LTTng brings them */
	NT_NEED_JITDUMP,     /* names, while they come from a jitdump */
};

enum { NT_FAILURES_MAX = 7, NT_FIX_BYTES = 2 * PATH_MAX };

struct nt_prerequisite {
	const char *key;       /* stable: the first word of doctor's lines, in JSON, in the manual */
	const char *looked_at; /* for the manual, one sentence without a full stop */
	enum nt_scope scope;
	enum nt_need need;
	void (*judge)(const struct nt_facts *facts, struct nt_verdict *out);
	struct nt_failure failures[NT_FAILURES_MAX];
};

/* By enum nt_prerequisite_id. */
extern const struct nt_prerequisite nt_prerequisites[NT_PREREQUISITE_COUNT];

/* The verdict of these facts. False: they are not about it, without a target or of a process that is not .NET. */
bool nt_prerequisite_judge(const struct nt_prerequisite *prerequisite, const struct nt_facts *facts, struct nt_verdict *out);

/* The fix of a verdict that is not OK, ready to paste; "" when there is none. Returns buf. */
const char *nt_prerequisite_fix(const struct nt_prerequisite *prerequisite, const struct nt_facts *facts, const struct nt_verdict *verdict,
				char *buf, size_t size);

/* "no CPU samples: kernel.perf_event_paranoid is 4 and ...": the sentence of a verdict that is not OK. Returns buf. */
const char *nt_prerequisite_sentence(const struct nt_prerequisite *prerequisite, const struct nt_verdict *verdict, char *buf, size_t size);

/*
 * The same as a source says it of itself. True: the prerequisite fails, and result, reason and fix of *out are filled.
 */
bool nt_prerequisite_refuses(enum nt_prerequisite_id id, const struct nt_facts *facts, struct nt_probe *out);

/*
 * If this one fails, too: its fix behind that of *out and `separator`, which says whether both are needed (" ") or one is enough ("   or: "). A command and
 * variables of the target's next start are not put together, and one fix is not said twice: then *out stays.
 */
void nt_prerequisite_add_fix(enum nt_prerequisite_id id, const struct nt_facts *facts, const char *separator, struct nt_probe *out);

/* And as an error: NT_ERR_FORBIDDEN or NT_ERR_ABSENT. NT_OK, and *err untouched: the prerequisite does not fail. */
enum nt_status nt_prerequisite_error(enum nt_prerequisite_id id, const struct nt_facts *facts, struct nt_error *err);

const char *nt_verdict_name(enum nt_verdict_state state); /* ok missing forbidden unknown */

#endif
