// SPDX-License-Identifier: GPL-2.0-only
#include "app/show/dump_look.h"

#include "nettop/column.h"
#include "target/needs/readonly.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { TELL_MS = 250, NUMBER = 32, LINE_BYTES = NT_DUMP_PRICE_BYTES + 256 };

static void say(struct nt_dump_look *look, const char *text, bool can_begin)
{
	look->frame->effects |= nt_ui_dump(look->frame->ui, text, can_begin, nt_dump_work_goes_on(&look->work));
}

static void say_error(struct nt_dump_look *look, const struct nt_error *err)
{
	char text[2 * NT_ERROR_TEXT];
	say(look, nt_error_text(err, text, sizeof(text)), false);
}

static enum nt_status prepare(struct nt_dump_look *look, char price[NT_DUMP_PRICE_BYTES], struct nt_error *err)
{
	const struct nt_dump_wish wish = {
		.target = look->setup->target, .keeper = look->setup->keeper, .kind = nt_ui_dump_kind(look->frame->ui), .another = true
	};
	nt_dump_work_end(&look->work);
	enum nt_status status = nt_readonly_check(look->setup->options->readonly, NT_CHANGE_DUMP, err);
	return status == NT_OK ? nt_dump_work_prepare(&look->work, &wish, price, err) : status;
}

/* The page was opened, or another kind chosen. */
static void offer(struct nt_dump_look *look)
{
	char price[NT_DUMP_PRICE_BYTES], text[LINE_BYTES];
	struct nt_error err = { 0 };
	if (nt_dump_work_goes_on(&look->work))
		return;
	if (prepare(look, price, &err) != NT_OK) {
		nt_dump_work_end(&look->work);
		say_error(look, &err);
		return;
	}
	snprintf(text, sizeof(text), "%s.\nThe file: %s", price, look->work.path);
	say(look, text, true);
}

static void end(struct nt_dump_look *look)
{
	if (look->watched)
		nt_loop_unwatch(look->frame->loop, nt_dump_work_fd(&look->work));
	look->watched = false;
	nt_dump_work_end(&look->work);
}

static void begin(struct nt_dump_look *look)
{
	struct nt_error err = { 0 };
	if (nt_dump_work_goes_on(&look->work))
		return;
	enum nt_status status = look->work.path ? nt_dump_work_begin(&look->work, &err)
						: nt_error_set(&err, NT_ERR_FAILED, "what it would do has not been said yet");
	if (status != NT_OK) {
		end(look);
		say_error(look, &err);
		return;
	}
	look->told = 0;
	look->watched = nt_loop_watch(look->frame->loop, nt_dump_work_fd(&look->work), NULL) == NT_OK;
}

void nt_dump_look_carry_out(struct nt_dump_look *look)
{
	unsigned effects = look->frame->effects;
	look->frame->effects &= ~(unsigned)(NT_UI_DUMP | NT_UI_DUMP_BEGIN | NT_UI_DUMP_LEFT);
	if (effects & NT_UI_DUMP_LEFT && !nt_dump_work_goes_on(&look->work))
		end(look);
	if (effects & NT_UI_DUMP)
		offer(look);
	if (effects & NT_UI_DUMP_BEGIN)
		begin(look);
}

/* On its page, and for who has left that in the context line. */
static void tell_end(struct nt_dump_look *look, const char *text)
{
	say(look, text, false);
	nt_frame_message(look->frame, text);
}

static void finish(struct nt_dump_look *look, enum nt_status status, const struct nt_error *err)
{
	char text[2 * NT_ERROR_TEXT], size[NUMBER];
	struct stat stat_of;
	if (status != NT_OK)
		nt_error_text(err, text, sizeof(text));
	else if (stat(look->work.path, &stat_of) == 0)
		snprintf(text, sizeof(text), "Written: %.400s, %sB", look->work.path,
			 nt_format_bytes((uint64_t)stat_of.st_size, size, sizeof(size)));
	else
		snprintf(text, sizeof(text), "Written: %.400s", look->work.path);
	end(look);
	tell_end(look, text);
}

bool nt_dump_look_go_on(struct nt_dump_look *look)
{
	char text[NT_DUMP_PRICE_BYTES];
	struct nt_error err = { 0 };
	nt_time now = nt_clock_now();
	if (!nt_dump_work_goes_on(&look->work))
		return false;
	enum nt_status status = nt_dump_work_advance(&look->work, &err);
	if (status != NT_AGAIN) {
		finish(look, status, &err);
		return false;
	}
	if (now >= look->told + TELL_MS * NT_NS_PER_MS) {
		look->told = now;
		say(look, nt_dump_work_progress(&look->work, text), false);
	}
	return true;
}

void nt_dump_look_fini(struct nt_dump_look *look)
{
	end(look);
}
