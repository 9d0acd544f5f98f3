// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/jit_command.h"

#include "app/commands/jit_limits.h"
#include "app/commands/jit_repeat.h"
#include "app/commands/replay_through.h"
#include "app/common/jit_settings.h"
#include "app/common/exit.h"
#include "app/run/run.h"
#include "app/show/headless.h"
#include "base/plain_rights.h"
#include "output/jit/jit_compare.h"
#include "source/lttng/lttng_probe.h"
#include "target/process/bridge.h"
#include "target/process/runtime_config_file.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

struct jit {
	const struct nt_options *options;
	struct nt_jit_report *before;         /* owned; NULL = nothing to compare with */
	bool watched;                         /* there was a process to be watched to its end */
	bool cut;                             /* the process ended otherwise than well */
	bool above;                           /* a limit, or nobody knows */
	const struct nt_target *target;       /* borrowed, while it is watched; NULL = it is a recording, which has no settings */
	char config[NT_RUNTIME_CONFIG_BYTES]; /* what its runtimeconfig.json says, read while it lives */
	enum nt_status status;                /* of the report */
	struct nt_error err, limit_err;
};

static void print_json(const struct nt_jit_report *before, const struct nt_jit_report *report)
{
	char *text = before ? nt_jit_compare_json(before, report) : nt_jit_report_json(report);
	puts(text);
	free(text);
}

static void print(const struct jit *jit, const struct nt_jit_report *report)
{
	if (jit->options->output == NT_OUTPUT_JSON)
		print_json(jit->before, report);
	else if (jit->before)
		nt_jit_compare_write(jit->before, report, stdout);
	else
		nt_jit_report_write(report, stdout);
}

static void report_at_the_end(void *context, struct nt_snapshot *snapshot)
{
	struct jit *jit = context;
	struct nt_jit_report *report = NULL;
	if (!snapshot->final)
		return;
	jit->watched = true;
	jit->status = nt_jit_report_of(snapshot, jit->options->run_argv != NULL, &report, &jit->err);
	if (jit->status != NT_OK)
		return;
	jit->cut = nt_jit_report_is_cut(report);
	if (report->end)
		nt_error_set(&jit->err, NT_ERR_GONE, "process %" PRIu64 " ended: %s; the report is of what was seen until then",
			     report->pid, report->end);
	if (jit->target) {
		nt_jit_settings_add(report, jit->target, jit->options->run_argv != NULL);
		nt_jit_settings_add_config(report, jit->target, jit->config);
	}
	nt_jit_report_sort(report);
	print(jit, report);
	jit->above = !nt_jit_limits_hold(&jit->options->jit_limits, report, &jit->limit_err);
	if (fflush(stdout) == EOF && errno != EPIPE)
		jit->status = nt_error_errno(&jit->err, NT_ERR_FAILED, errno, "cannot write to standard output");
	nt_jit_report_free(report);
}

/* A started program is left to run to its end, by who called us. */
static int without_jit(const struct nt_session_setup *setup, struct nt_error *err)
{
	nt_error_set(err, NT_ERR_ABSENT,
		     "%s (process %u) was compiled ahead of time (Native AOT): it has no JIT, there is nothing to report",
		     setup->target->name, setup->target->pid);
	if (!setup->child)
		return nt_exit_of(NT_ERR_ABSENT);
	fprintf(stderr, "nettop: %s\n", err->cause[0]);
	return NT_EXIT_TARGET_ENDED;
}

static int watch_to_the_end(void *context, struct nt_session_setup *setup, struct nt_error *err)
{
	if (setup->target->deployment == NT_DEPLOYED_NATIVE_AOT)
		return without_jit(setup, err);
	struct jit *jit = context;
	jit->target = setup->target;
	nt_runtime_config_of(jit->target, jit->config);
	setup->sink = report_at_the_end;
	setup->sink_context = context;
	return nt_headless_run(setup, NULL, NULL, err);
}

static int watch(struct jit *jit, struct nt_options *options, struct nt_error *err)
{
	const struct nt_show show = { .run = watch_to_the_end, .context = jit, .compilations_only = true };
	int exit_status = options->run_argv ? nt_run_with(options, &show, err) : nt_watch_with(options, &show, err);
	if (jit->watched && jit->status != NT_OK) {
		*err = jit->err;
		return nt_exit_of(jit->status);
	}
	if (!jit->watched && exit_status == NT_EXIT_OK)
		return NT_EXIT_FAILURE; /* the reason has been said */
	if (options->run_argv || !jit->watched)
		return exit_status;
	/* To its end is what was asked for, or for some time; not what somebody or something else made of it. */
	if (jit->cut || (exit_status == NT_EXIT_TARGET_ENDED && options->duration_ns)) {
		*err = jit->err;
		return NT_EXIT_TARGET_ENDED;
	}
	return NT_EXIT_OK;
}

static bool take_recorded(void *context, const struct nt_replayed *replayed, struct nt_snapshot *snapshot)
{
	(void)replayed;
	report_at_the_end(context, snapshot);
	return true;
}

static int replay(struct jit *jit, struct nt_options *options, struct nt_error *err)
{
	const struct nt_replayed_wish wish = { .summary = true, .from = &options->from, .to = &options->to };
	enum nt_status status = nt_replay_through(options->replay_path, &wish, take_recorded, jit, err);
	if (status == NT_OK && jit->status != NT_OK) {
		*err = jit->err;
		status = jit->status;
	}
	return nt_exit_of(status);
}

static bool bridge_is_there(const struct nt_options *options)
{
	char dir[PATH_MAX];
	return options->launch.bridge_dir ? *options->launch.bridge_dir : nt_bridge_find_own(dir, sizeof(dir));
}

/* No waiting for LTTng where it will not come. */
static unsigned choose_sources(const struct nt_options *options)
{
	const unsigned lttng = 1u << NT_SOURCE_LTTNG, eventpipe = 1u << NT_SOURCE_EVENTPIPE;
	unsigned mask = options->source_mask;
	bool both = options->run_argv && mask & lttng && mask & eventpipe;
	return both && (options->prefer_eventpipe || !(bridge_is_there(options) && nt_lttng_can_trace())) ? mask & ~lttng : mask;
}

static int once(struct nt_options *options, struct nt_error *err)
{
	struct jit jit = { .options = options, .status = NT_OK };
	options->output = NT_OUTPUT_JSON;
	options->jit_limits = (struct nt_jit_limits){ 0 };
	return watch(&jit, options, err);
}

/* The limits are for the medians. */
static int repeat(struct jit *jit, struct nt_options *options, struct nt_error *err)
{
	struct nt_jit_report *report = NULL;
	int exit_status = nt_jit_repeat(options, once, &report, err);
	if (!report)
		return exit_status;
	print(jit, report);
	jit->above = !nt_jit_limits_hold(&options->jit_limits, report, &jit->limit_err);
	nt_jit_report_free(report);
	return exit_status;
}

int nt_jit(struct nt_options *options, struct nt_error *err)
{
	struct jit jit = { .options = options, .status = NT_OK };
	if (!options->replay_path)
		options->source_mask = choose_sources(options);
	if (options->output == NT_OUTPUT_SCREEN)
		options->output = NT_OUTPUT_TEXT;
	if (options->compare_path) {
		struct nt_plain_rights rights = nt_plain_rights_begin();
		enum nt_status status = nt_jit_report_read(options->compare_path, &jit.before, err);
		nt_plain_rights_end(rights);
		if (status != NT_OK)
			return nt_exit_of(status);
	}
	int exit_status = (options->replay_path ? replay : options->repeat > 1 ? repeat : watch)(&jit, options, err);
	nt_jit_report_free(jit.before);
	if (!jit.above || exit_status != NT_EXIT_OK)
		return exit_status;
	*err = jit.limit_err;
	return NT_EXIT_FAILURE;
}
