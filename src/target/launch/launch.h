/* SPDX-License-Identifier: GPL-2.0-only */
/* Room target/launch: programs that nettop starts, until they can be watched. */
/*
 * With which variables a .NET program is started so that nettop sees more of it: what somebody asks for and the environment that there is already give a
 * plan. Pure: no file, no environment of nettop's own is read here. The table is launch_variables.def.
 */
#ifndef NT_TARGET_LAUNCH_H
#define NT_TARGET_LAUNCH_H

#include "target/needs/prerequisites.h"

enum nt_launch_id {
#define LAUNCH_VARIABLE(id, ...) NT_LAUNCH_##id,
#include "target/launch/launch_variables.def"
	NT_LAUNCH_COUNT
};

/* When a variable is set. Exactly one of the first three holds for a request, unless the port is all. */
enum nt_launch_when {
	NT_IN_N = 1 << 0,      /* mode N: everything but thread-pool events, at no cost */
	NT_IN_F = 1 << 1,      /* mode F: these, too */
	NT_IN_OWN = 1 << 2,    /* EventSources by name */
	NT_IN_NAME = 1 << 3,   /* events of the managed listener by name */
	NT_IN_BRIDGE = 1 << 4, /* a folder of the bridge is given */
	NT_IN_NAMES = 1 << 5,  /* a perf map is wanted */
	NT_IN_PORT = 1 << 6,   /* the program waits at its start */
	NT_IN_ANY_MODE = NT_IN_N | NT_IN_F | NT_IN_OWN,
};

/* One line of the table: see there. */
struct nt_launch_variable {
	unsigned set, looked_at; /* enum nt_launch_when */
	const char *setting;     /* "NAME=VALUE" */
	enum nt_prerequisite_id needed_for;
	const char *brings, *costs, *differs; /* for people, without a full stop; differs may be "" */
};

/* By enum nt_launch_id. */
extern const struct nt_launch_variable nt_launch_variables[NT_LAUNCH_COUNT];

/* What is asked for. All texts are borrowed. */
struct nt_launch_request {
	bool full;                /* --events full: mode F instead of N */
	const char *event_source; /* --event-source of nettop env; NULL = what the mode says, "" = all */
	const char *event_name;   /* --event-name; NULL = all */
	const char *bridge_dir;   /* put before LD_LIBRARY_PATH; NULL or "" = not needed */
	bool perf_map;
	const char *startup_port; /* a diagnostics port to wait for at the start, "PATH,suspend"; NULL = no */
	bool no_lttng;            /* nobody reads it: nothing is set for it */
	bool replace;             /* the environment is that of an earlier start, to be changed; else it is somebody's wish and stays */
};

enum nt_launch_state {
	NT_LAUNCH_SET,   /* to be set to `value` */
	NT_LAUNCH_THERE, /* the environment has this value already */
	NT_LAUNCH_KEPT,  /* the environment has another value, which stays: `value` is that one */
};

struct nt_launch_setting {
	const struct nt_launch_variable *variable;
	enum nt_launch_state state;
	char *name;       /* as it is to be set or, if there, as it was written: DOTNET_... or COMPlus_... Owned */
	char *value;      /* as it will be. Raw bytes, unescaped, owned */
	char *before;     /* what the environment has, the same way; NULL = nothing. Owned */
	const char *lost; /* what the value in the environment takes away; NULL = nothing. Of KEPT: what is missing now */
};

struct nt_launch {
	size_t count;
	struct nt_launch_setting settings[NT_LAUNCH_COUNT];
};

/* USAGE: the request contradicts itself, or a text of it cannot stand in an environment; the sentence names the option. */
enum nt_status nt_launch_check(const struct nt_launch_request *request, struct nt_error *err);

/*
 * Plan a start. *launch is made new; end it with nt_launch_fini(). The request must have passed nt_launch_check(). LD_LIBRARY_PATH and
 * DOTNET_DiagnosticPorts are extended at their front, everything else that the environment has, even empty, stays unless `replace` is asked for. A variable that is there and takes something away
 * is in the plan although nettop would not set it.
 */
void nt_launch_plan(struct nt_launch *launch, const struct nt_launch_request *request, const struct nt_environment *env);
void nt_launch_fini(struct nt_launch *launch);

/* The whole environment of the program: `variables` (as environ) with the plan in it. For execve(); end it with nt_launch_environment_free(). */
char **nt_launch_environment(const struct nt_launch *launch, char *const *variables);
void nt_launch_environment_free(char **variables); /* NULL is allowed */

#endif
