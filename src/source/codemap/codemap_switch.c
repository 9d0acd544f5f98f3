// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap/codemap_switch.h"

#include "base/alloc.h"
#include "base/numbers.h"
#include "target/perfmap/perf_map_switch.h"
#include "target/process/runtime_start.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AT_IT_NS (NT_NS_PER_S / 5)                       /* another nettop is just switching */
#define RETRY_NS (5 * NT_NS_PER_S)                       /* the target is stopped, or not ready yet */
#define LATER_NS (30 * NT_NS_PER_S)                      /* it did not answer: each try holds the worker up */
#define START_NS (NT_RUNTIME_START_NS + NT_NS_PER_S / 5) /* samples wait a second longer for names; no version refuses it any more */
#define ON_NS    (NT_PERF_MAP_ON_NS + NT_NS_PER_S)       /* until the hand is given up */
#define OFF_NS   (NT_PERF_MAP_OFF_NS + NT_NS_PER_S)

enum { WAITS_MOST = 50 };

/* One errand for all of it. Its target is its own: it may outlive ours. */
struct errand {
	struct nt_errand errand;
	enum { FIND, JOIN, STOP, LEAVE, TIDY } step;
	uint64_t limit_bytes;
	int folder_fd; /* owned; -1 before FIND */
	bool set;      /* at its start, by nettop */
	uint32_t pid;
	uint64_t start_ticks;
	struct nt_target *target;        /* owned; NULL before FIND */
	struct nt_perf_map_share *share; /* owned; NULL = none */
	char undo[NT_PERF_MAP_UNDO_BYTES];
	enum nt_perf_map_cause cause;
	enum nt_status status;
	struct nt_error err;
};

struct nt_codemap_switch {
	const struct nt_files_target *target;
	const struct nt_source_config *config;
	struct nt_hand *hand;
	struct errand *errand; /* NULL = not begun, or abandoned */
	bool noted, settled;
	nt_time not_before;
	unsigned waits; /* for a map that is set at the start, and not begun yet */
	struct nt_codemap_switched said;
};

static void find(struct errand *errand)
{
	char pid[16];
	snprintf(pid, sizeof(pid), "%" PRIu32, errand->pid);
	errand->status = nt_target_find("/proc", pid, &errand->target, &errand->err);
	if (errand->status == NT_OK && errand->target->start_ticks != errand->start_ticks)
		errand->status = nt_error_set(&errand->err, NT_ERR_GONE, "process %" PRIu32 " has ended", errand->pid);
	if (errand->status == NT_OK && errand->folder_fd < 0)
		errand->status = nt_perf_map_open_folder(errand->target, &errand->folder_fd, &errand->err);
	if (errand->status == NT_OK)
		nt_perf_map_undo_text(errand->target, errand->undo);
	if (errand->status != NT_OK) {
		nt_target_free(errand->target); /* looked for again at the next try */
		errand->target = NULL;
	}
}

static void leave(struct errand *errand)
{
	enum nt_status status = errand->share ? nt_perf_map_leave(errand->share, errand->target) : NT_OK;
	errand->status = status < 0 ? status : NT_OK; /* also when it was not there any more */
	errand->share = NULL;
}

static void run(struct nt_errand *base)
{
	struct errand *errand = (struct errand *)base;
	nt_error_clear(&errand->err);
	switch (errand->step) {
	case FIND:
		find(errand);
		break;
	case JOIN:
		errand->status = nt_perf_map_join(errand->target, errand->folder_fd, errand->set ? NT_PERF_MAP_SET : errand->limit_bytes,
						  &errand->cause, &errand->share, &errand->err);
		break;
	case STOP:
		errand->status = nt_perf_map_stop(errand->share, errand->target);
		break;
	case TIDY:
		nt_perf_map_tidy(errand->target, errand->folder_fd);
		errand->status = NT_OK;
		break;
	case LEAVE:
		leave(errand);
		break;
	}
}

/* Of an abandoned one that came back: what it has done after all is undone. */
static void release(struct nt_errand *base)
{
	struct errand *errand = (struct errand *)base;
	leave(errand);
	nt_target_free(errand->target);
	if (errand->folder_fd >= 0)
		close(errand->folder_fd);
	free(errand);
}

static enum nt_status do_step(struct nt_codemap_switch *map_switch, int step, nt_time patience)
{
	struct errand *errand = map_switch->errand;
	errand->step = step;
	enum nt_status status = nt_hand_do(map_switch->hand, &errand->errand, patience);
	if (status == NT_OK)
		return errand->status;
	map_switch->errand = NULL;
	return status;
}

/* False: the keeper has no room for it. */
static bool note(struct nt_codemap_switch *map_switch)
{
	const struct nt_source_config *config = map_switch->config;
	const struct errand *errand = map_switch->errand;
	map_switch->noted = map_switch->noted || config->undo_hold(config->undo_context, "perf-map", errand->undo, errand->folder_fd);
	return map_switch->noted;
}

static void take_note_back(struct nt_codemap_switch *map_switch)
{
	const struct nt_source_config *config = map_switch->config;
	if (map_switch->noted)
		config->undo_note(config->undo_context, "-perf-map", map_switch->errand->undo);
	map_switch->noted = false;
}

struct nt_codemap_switch *nt_codemap_switch_new(const struct nt_files_target *target, const struct nt_source_config *config,
						struct nt_hand *hand)
{
	struct nt_codemap_switch *map_switch = nt_alloc(sizeof(*map_switch));
	*map_switch = (struct nt_codemap_switch){ .target = target, .config = config, .hand = hand };
	map_switch->settled = target->readonly || !(target->perf_map_switchable || target->perf_map_set);
	map_switch->said.waits = target->perf_map_later && !map_switch->settled;
	map_switch->not_before = map_switch->said.waits ? nt_clock_now() + START_NS : 0;
	return map_switch;
}

void nt_codemap_switch_free(struct nt_codemap_switch *map_switch)
{
	if (!map_switch)
		return;
	if (map_switch->errand) {
		/* Not given back in time: its lock ends with it, and the keeper, whose note stands, finds nobody in the way. */
		struct errand *errand = map_switch->errand;
		if (errand->share)
			nt_perf_map_abandon(errand->share);
		errand->share = NULL;
		release(&errand->errand);
	}
	free(map_switch);
}

bool nt_codemap_switch_need(struct nt_codemap_switch *map_switch, enum nt_codemap_need need)
{
	bool news = map_switch->said.need != need;
	map_switch->said.need = need;
	return news;
}

static nt_time refused(struct nt_codemap_switch *map_switch, enum nt_status status)
{
	struct nt_codemap_switched *said = &map_switch->said;
	const struct errand *errand = map_switch->errand;
	if (status == NT_END)
		return NT_TIME_UNKNOWN;
	if (!errand) {
		snprintf(said->reason, sizeof(said->reason), "the target does not answer when it is asked for one");
		return nt_clock_now() + LATER_NS;
	}
	nt_error_reason(&errand->err, said->reason, sizeof(said->reason));
	snprintf(said->fix, sizeof(said->fix), "%s", errand->err.fix);
	take_note_back(map_switch);
	map_switch->settled = status == NT_ERR_UNSUPPORTED;
	if (map_switch->settled)
		return NT_TIME_UNKNOWN;
	bool waited = status == NT_ERR_TIMEOUT && !*said->fix;
	return nt_clock_now() + (waited || errand->cause == NT_PERF_MAP_NO_ROOM ? LATER_NS : RETRY_NS);
}

/* Nobody would switch it off again if nettop were killed: it is not switched on. */
static nt_time no_room(struct nt_codemap_switch *map_switch)
{
	snprintf(map_switch->said.reason, sizeof(map_switch->said.reason),
		 "none is switched on: the keeper has no room for another one to switch off, should nettop be killed");
	return nt_clock_now() + LATER_NS;
}

nt_time nt_codemap_switch_try(struct nt_codemap_switch *map_switch)
{
	/* One that was set at the start is nettop's to remove, needed or not. */
	if (map_switch->settled || (map_switch->said.need != NT_CODEMAP_NEEDED && !map_switch->target->perf_map_set))
		return NT_TIME_UNKNOWN;
	if (nt_clock_now() < map_switch->not_before)
		return map_switch->not_before;
	map_switch->said.waits = false;
	enum nt_status status = NT_OK;
	if (!map_switch->errand) {
		map_switch->errand = nt_alloc(sizeof(*map_switch->errand));
		map_switch->errand->errand = (struct nt_errand){ .run = run, .release = release };
		map_switch->errand->pid = map_switch->target->pid;
		map_switch->errand->start_ticks = map_switch->target->start_ticks;
		map_switch->errand->limit_bytes = map_switch->config->max_map_bytes;
		map_switch->errand->folder_fd = -1;
		map_switch->errand->set = map_switch->target->perf_map_set;
	}
	if (!map_switch->errand->target)
		status = do_step(map_switch, FIND, NT_FILES_TIMEOUT_NS);
	if (status == NT_OK && !note(map_switch))
		return no_room(map_switch);
	if (status == NT_OK)
		status = do_step(map_switch, JOIN, ON_NS);
	if (status == NT_AGAIN) {
		map_switch->settled = map_switch->target->perf_map_set && ++map_switch->waits > WAITS_MOST;
		return map_switch->settled ? NT_TIME_UNKNOWN : nt_clock_now() + AT_IT_NS;
	}
	if (status != NT_OK)
		return refused(map_switch, status);
	map_switch->settled = true;
	map_switch->said = (struct nt_codemap_switched){ .need = map_switch->said.need, .by_nettop = map_switch->errand->share };
	if (!map_switch->said.by_nettop)
		take_note_back(map_switch);
	return NT_TIME_UNKNOWN;
}

/* Why it must be switched off; false: it need not. */
static bool find_fault(struct nt_codemap_switch *map_switch, bool there, uint64_t size, const struct nt_perf_map_room *room)
{
	struct nt_codemap_switched *said = &map_switch->said;
	const char *path = map_switch->target->map_path, *what = "switched off; names of new methods come from the runtime's events";
	uint64_t limit = map_switch->config->max_map_bytes;
	char text[16];
	*said->fix = '\0';
	if (!there) {
		snprintf(said->reason, sizeof(said->reason), "perf map %s was removed by somebody: %s", path, what);
	} else if (size > limit) {
		nt_number_bytes(limit, NT_NUMBER_DIGITS, text, sizeof(text));
		snprintf(said->reason, sizeof(said->reason), "perf map %s was over its limit of %sB: removed and %s", path, text, what);
		snprintf(said->fix, sizeof(said->fix), "give it more with --max-map");
	} else if (size > nt_perf_map_most(limit, room->free_bytes)) {
		nt_number_bytes(room->free_bytes, NT_NUMBER_DIGITS, text, sizeof(text));
		snprintf(said->reason, sizeof(said->reason), "perf map %s was over a tenth of the %sB that %s: removed and %s", path, text,
			 room->of_memory ? "the target's memory limit leaves it" : "are free there", what);
		snprintf(said->fix, sizeof(said->fix), "%s", nt_perf_map_room_fix(room));
	} else {
		return false;
	}
	return true;
}

/* What is tried again is tried by who finds the claim. */
static void say_left(struct nt_codemap_switch *map_switch, const char *who)
{
	struct nt_codemap_switched *said = &map_switch->said;
	said->left = true;
	snprintf(said->reason, sizeof(said->reason),
		 "perf map %s could not be removed, its file system did not answer or did not let it: %s", map_switch->target->map_path,
		 who);
	snprintf(said->fix, sizeof(said->fix), "look at the file system that it is on");
}

bool nt_codemap_switch_see(struct nt_codemap_switch *map_switch, bool there, uint64_t size, const struct nt_perf_map_room *room)
{
	if (!map_switch->said.by_nettop || !map_switch->errand || !find_fault(map_switch, there, size, room))
		return false;
	/* The note stays, and so does the share, which tells other nettops; a target that does not answer now is asked by the keeper. */
	if (do_step(map_switch, STOP, OFF_NS) < 0)
		say_left(map_switch, "it is tried again at the end");
	map_switch->said.by_nettop = false;
	map_switch->said.ended = true;
	return true;
}

const struct nt_codemap_switched *nt_codemap_switch_said(const struct nt_codemap_switch *map_switch)
{
	return &map_switch->said;
}

void nt_codemap_switch_end(struct nt_codemap_switch *map_switch)
{
	const struct errand *errand = map_switch->errand;
	if (!errand)
		return;
	if (errand->share) {
		enum nt_status status = do_step(map_switch, LEAVE, OFF_NS);
		/* Abandoned: the keeper sees to it. */
		if (!map_switch->errand)
			return;
		if (status == NT_OK)
			take_note_back(map_switch);
		else
			say_left(map_switch, "the next nettop at this process removes it");
	} else if (errand->set && errand->target && do_step(map_switch, TIDY, OFF_NS) == NT_OK) {
		take_note_back(map_switch);
	}
}
