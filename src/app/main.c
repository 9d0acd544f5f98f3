// SPDX-License-Identifier: GPL-2.0-only
/* Room app: main(). */
/* Arguments, wiring, exit status; nothing else. */
#include "app/commands/completion_command.h"
#include "app/commands/config_command.h"
#include "app/commands/diff_command.h"
#include "app/commands/doctor.h"
#include "app/commands/dump_command.h"
#include "app/commands/env.h"
#include "app/commands/events_command.h"
#include "app/commands/export_command.h"
#include "app/commands/heap_command.h"
#include "app/commands/jit_command.h"
#include "app/commands/map.h"
#include "app/commands/record_command.h"
#include "app/commands/replay_command.h"
#include "app/commands/report_command.h"
#include "app/commands/serve_command.h"
#include "app/commands/stacks_command.h"
#include "app/commands/symbols_command.h"
#include "app/commands/threads_command.h"
#include "app/common/elevated.h"
#include "app/common/exit.h"
#include "app/common/own_memory.h"
#include "app/common/print.h"
#include "app/common/rights.h"
#include "app/common/version.h"
#include "app/relay/relay_command.h"
#include "app/run/run.h"
#include "app/settings/settings_file.h"
#include "app/show/ps.h"
#include "app/show/watch.h"
#include "app/ssh/ssh_command.h"
#include "base/apart.h"
#include "base/hash.h"
#include "serve/sender_process.h"
#include "serve/web_process.h"
#include "source/all/own_processes.h"
#include "source/decoder/executable_readers.h"
#include "translate/translate_process.h"

#include <locale.h>
#include <stdio.h>

static int report(const struct nt_error *err, int exit_status)
{
	char text[NT_ERROR_CAUSES * NT_ERROR_TEXT];
	if (err->cause_count)
		fprintf(stderr, "nettop: %s\n", nt_error_text(err, text, sizeof(text)));
	return exit_status;
}

static void print_version(void)
{
	puts("nettop " NT_VERSION "\nLicence GPL-2.0-only. No warranty.");
}

/* These have no keeper: what they need they keep, from their begin. They say what a watch would get (ps, doctor), so they have what that has. */
static int run_doctor(struct nt_options *options, struct nt_error *err)
{
	nt_rights_drop(NT_RIGHTS_WATCH);
	nt_apart_start();
	return nt_doctor_run(options, err);
}

static int run_env(struct nt_options *options, struct nt_error *err)
{
	nt_rights_drop(NT_RIGHTS_READ);
	nt_apart_start();
	return nt_env_run(options, err);
}

static int run_ps(struct nt_options *options, struct nt_error *err)
{
	nt_rights_drop(NT_RIGHTS_WATCH);
	nt_apart_start();
	return nt_ps_run(options, err);
}

static int run_completion(struct nt_options *options, struct nt_error *err)
{
	nt_rights_drop(NT_RIGHTS_READ);
	nt_apart_start();
	return nt_completion_print(options->words, err);
}

static int run_config(struct nt_options *options, struct nt_error *err)
{
	(void)options;
	nt_rights_drop(NT_RIGHTS_READ);
	return nt_config_print(err);
}

static int run_symbols(struct nt_options *options, struct nt_error *err)
{
	nt_rights_drop(NT_RIGHTS_READ);
	nt_apart_start();
	return nt_fetch_symbols(options, err);
}

static int run_watch(struct nt_options *options, struct nt_error *err)
{
	return options->relay ? nt_relay_command(options, err) : nt_watch_run(options, err);
}

/* Each returns the exit status, and what is to be said on standard error in *err. */
static int (*const commands[NT_COMMAND_COUNT])(struct nt_options *options, struct nt_error *err) = {
	[NT_COMMAND_WATCH] = run_watch,
	[NT_COMMAND_RUN] = nt_run,
	[NT_COMMAND_DOCTOR] = run_doctor,
	[NT_COMMAND_ENV] = run_env,
	[NT_COMMAND_PS] = run_ps,
	[NT_COMMAND_JIT] = nt_jit,
	[NT_COMMAND_STACKS] = nt_stacks,
	[NT_COMMAND_MAP] = nt_map,
	[NT_COMMAND_SYMBOLS] = run_symbols,
	[NT_COMMAND_THREADS] = nt_threads,
	[NT_COMMAND_REPORT] = nt_report,
	[NT_COMMAND_HEAP] = nt_heap_command,
	[NT_COMMAND_DUMP] = nt_dump_command,
	[NT_COMMAND_EVENTS] = nt_events_command,
	[NT_COMMAND_RECORD] = nt_record_command,
	[NT_COMMAND_REPLAY] = nt_replay_command,
	[NT_COMMAND_SERVE] = nt_serve_command,
	[NT_COMMAND_EXPORT] = nt_export_command,
	[NT_COMMAND_DIFF] = nt_diff_command,
	[NT_COMMAND_CONFIG] = run_config,
	[NT_COMMAND_COMPLETION] = run_completion,
};

int main(int argc, char **argv)
{
	struct nt_options options;
	struct nt_error err = { 0 };
	int exit_status;
	enum nt_status status = nt_elevated_begin(argv, &err);
	if (status != NT_OK)
		return report(&err, nt_exit_of(status));
	if (nt_own_process_served(argc, argv, &exit_status))
		return exit_status;
	if (nt_translation_is_meant(argc, argv))
		return nt_translation_serve();
	if (nt_web_is_meant(argc, argv))
		return nt_web_process_serve();
	if (nt_sender_is_meant(argc, argv))
		return nt_sender_process_serve();
	nt_print_begin();
	nt_own_memory_keep_small();
	nt_hash_choose_secret();
	nt_executable_is_read_by(nt_executable_readers_read);
	setlocale(LC_CTYPE, "");
	status = nt_options_parse(&options, argc, argv, &err);
	if (status != NT_OK)
		return report(&err, nt_exit_of(status));
	if (options.show_help) {
		nt_options_help(options.command, stdout);
		return NT_EXIT_OK;
	}
	if (options.show_version) {
		print_version();
		return NT_EXIT_OK;
	}
	exit_status = options.ssh_host ? nt_ssh_command(&options, &err) : commands[options.command](&options, &err);
	nt_settings_file_free(options.settings);
	return report(&err, exit_status);
}
