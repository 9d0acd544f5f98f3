// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/symbols_command.h"

#include "app/commands/symbols_json.h"
#include "app/common/exit.h"
#include "base/alloc.h"
#include "base/file_name.h"
#include "base/text.h"
#include "source/common/symbol_cache.h"
#include "source/export/symbol_fetch.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* In the table, before the file or the reason. */
static const char *const state_words[NT_SYMBOL_STATE_COUNT] = {
	[NT_SYMBOLS_OWN] = "has its symbols",     [NT_SYMBOLS_DEBUG_FILE] = "has",
	[NT_SYMBOLS_MISSING] = "missing",         [NT_SYMBOLS_NO_BUILD_ID] = "stripped, and without a build id to ask for",
	[NT_SYMBOLS_UNREADABLE] = "unreadable:",  [NT_SYMBOLS_FETCHED] = "fetched:",
	[NT_SYMBOLS_ABSENT] = "no server has it", [NT_SYMBOLS_FAILED] = "failed:",
};

/* ---- the table ---- */

enum { MB = 1000 * 1000 };

static int width_of_names(const struct nt_symbol_images *images)
{
	size_t width = strlen("LIBRARY");
	for (size_t i = 0; i < images->count; i++)
		if (strlen(nt_file_base_name(images->items[i].shown)) > width)
			width = strlen(nt_file_base_name(images->items[i].shown));
	return width < 40 ? (int)width : 40;
}

static void print_row(const struct nt_symbol_image *image, int name_width)
{
	char id[NT_BUILD_ID_TEXT], size[32] = "";
	if (image->file)
		snprintf(size, sizeof(size), "%.1f MB", (double)image->file_bytes / MB);
	printf("%-*s  %-40s  %9s  %s%s", name_width, nt_file_base_name(image->shown), nt_build_id_text(&image->build_id, id), size,
	       state_words[image->state], image->file || *image->reason ? " " : "");
	nt_text_print(stdout, image->file ? image->file : image->reason);
	putchar('\n');
	fflush(stdout);
}

static void print_sum(const struct nt_symbol_images *images)
{
	size_t counts[NT_SYMBOL_STATE_COUNT] = { 0 };
	for (size_t i = 0; i < images->count; i++)
		counts[images->items[i].state]++;
	printf("%zu of %zu libraries have their symbols; %zu fetched, %zu not to be had, %zu failed\n",
	       counts[NT_SYMBOLS_OWN] + counts[NT_SYMBOLS_DEBUG_FILE] + counts[NT_SYMBOLS_FETCHED], images->count,
	       counts[NT_SYMBOLS_FETCHED], counts[NT_SYMBOLS_ABSENT] + counts[NT_SYMBOLS_NO_BUILD_ID],
	       counts[NT_SYMBOLS_FAILED] + counts[NT_SYMBOLS_UNREADABLE]);
}

/* ---- an end by a signal leaves no part of a file behind ---- */

static void fill_signals(sigset_t *signals)
{
	sigemptyset(signals);
	sigaddset(signals, SIGINT);
	sigaddset(signals, SIGTERM);
	sigaddset(signals, SIGHUP);
}

/* They wait while files are fetched, and are asked for. */
static bool is_cancelled(void)
{
	sigset_t signals, pending;
	fill_signals(&signals);
	sigpending(&pending);
	sigandset(&signals, &signals, &pending);
	return !sigisemptyset(&signals);
}

/* ---- fetching ---- */

/* Where nettop looks for it by itself: debuginfod's cache, or the folder given, as dotnet-symbol names files. The caller's; NULL = nowhere. */
static char *place_for(const struct nt_symbol_image *image, const char *folder)
{
	char id[NT_BUILD_ID_TEXT];
	if (folder)
		return nt_format("%s/%s.dbg", folder, nt_file_base_name(image->path));
	char *cache = nt_symbol_cache_dir();
	char *place = cache ? nt_format("%s/%s/debuginfo", cache, nt_build_id_text(&image->build_id, id)) : NULL;
	free(cache);
	return place;
}

static void note(struct nt_symbol_image *image, enum nt_status status, char *place, const struct nt_error *err)
{
	image->state = status == NT_OK ? NT_SYMBOLS_FETCHED : status == NT_ERR_ABSENT ? NT_SYMBOLS_ABSENT : NT_SYMBOLS_FAILED;
	if (image->state == NT_SYMBOLS_FAILED)
		nt_error_text(err, image->reason, sizeof(image->reason));
	if (image->state == NT_SYMBOLS_FETCHED)
		image->file = place;
	else
		free(place);
}

/* OK, or why there is no use in going on. */
static enum nt_status fetch(struct nt_symbol_image *image, struct nt_symbol_servers *servers, const char *folder, struct nt_error *err)
{
	char *place = place_for(image, folder);
	if (!place)
		return nt_error_set(err, NT_ERR_USAGE, "where to? There is no HOME, so name a folder with -o DIR");
	struct nt_error failure = { 0 };
	enum nt_status status = nt_symbol_fetch(servers, &image->build_id, place, is_cancelled, &image->file_bytes, &failure);
	if (status == NT_END || status == NT_ERR_UNSUPPORTED || status == NT_ERR_FORBIDDEN) {
		*err = failure;
		free(place);
		return status;
	}
	note(image, status, place, &failure);
	return NT_OK;
}

static enum nt_status fetch_missing(struct nt_symbol_images *images, struct nt_symbol_servers *servers, const struct nt_options *options,
				    struct nt_error *err)
{
	bool table = options->output != NT_OUTPUT_JSON;
	int width = width_of_names(images);
	enum nt_status status = NT_OK;
	if (table)
		printf("%-*s  %-40s  %9s  %s\n", width, "LIBRARY", "BUILD ID", "SIZE", "STATE");
	for (size_t i = 0; i < images->count && status == NT_OK; i++) {
		if (images->items[i].state == NT_SYMBOLS_MISSING)
			status = fetch(&images->items[i], servers, options->output_path, err);
		if (table && status == NT_OK)
			print_row(&images->items[i], width);
	}
	if (table && status == NT_OK)
		print_sum(images);
	return status;
}

static enum nt_status fetch_for(const struct nt_target *target, struct nt_symbol_servers *servers, const struct nt_options *options,
				bool *complete, struct nt_error *err)
{
	struct nt_symbol_images images;
	enum nt_status status = nt_symbol_images_read(target, &images, err);
	if (status != NT_OK)
		return status;
	status = fetch_missing(&images, servers, options, err);
	if (status == NT_OK && options->output == NT_OUTPUT_JSON)
		nt_symbols_print_json(target, servers, &images, stdout);
	for (size_t i = 0; i < images.count; i++)
		*complete &= images.items[i].state != NT_SYMBOLS_FAILED;
	nt_symbol_images_fini(&images);
	return status;
}

int nt_fetch_symbols(struct nt_options *options, struct nt_error *err)
{
	struct nt_symbol_servers servers;
	struct nt_target *target = NULL;
	bool complete = true;
	sigset_t signals, before;
	if (!options->target)
		return nt_exit_of(nt_error_set(err, NT_ERR_USAGE, "which process? Give its pid or name: nettop symbols -p PID"));
	fill_signals(&signals);
	sigprocmask(SIG_BLOCK, &signals, &before);
	enum nt_status status = nt_symbol_servers_init(&servers, options->server, err);
	if (status == NT_OK)
		status = nt_target_find("/proc", options->target, &target, err);
	if (status == NT_OK)
		status = fetch_for(target, &servers, options, &complete, err);
	nt_target_free(target);
	nt_symbol_servers_fini(&servers);
	sigprocmask(SIG_SETMASK, &before, NULL); /* one that came ends us here */
	return status == NT_OK && !complete ? NT_EXIT_FAILURE : nt_exit_of(status);
}
