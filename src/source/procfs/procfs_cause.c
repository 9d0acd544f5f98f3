// SPDX-License-Identifier: GPL-2.0-only
#include "source/procfs/procfs_cause.h"

#include "base/alloc.h"
#include "base/text.h"
#include "decode/common/last_words.h"
#include "decode/unwind/frame_chain.h"
#include "source/common/inner_tids.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum {
	STACK_MAX = 64, /* more is not kept of any stack */
	OUTER_MAX = STACK_MAX - (int)NT_LAST_LOOK_INNER,
};
_Static_assert(OUTER_MAX > 0 && OUTER_MAX <= (int)NT_LAST_LOOK_OUTER, "frames");

void nt_procfs_cause_init(struct nt_procfs_cause *cause, const struct nt_target *target)
{
	struct nt_error err = { 0 };
	*cause = (struct nt_procfs_cause){ .same_namespace =
						   nt_inner_tids_namespace(target->proc_dir) == nt_inner_tids_namespace("/proc/self") };
	if (!target->is_dotnet)
		snprintf(cause->reason, sizeof(cause->reason), "where the text of an exception lies is known of CoreCLR only");
	else if (nt_last_look_new(target, &cause->look, &err) != NT_OK)
		nt_error_reason(&err, cause->reason, sizeof(cause->reason));
}

void nt_procfs_cause_fini(struct nt_procfs_cause *cause)
{
	nt_last_look_free(cause->look);
	cause->look = NULL;
}

void nt_procfs_cause_go_on(struct nt_procfs_cause *cause)
{
	if (cause->look)
		nt_last_look_read(cause->look); /* makes room for the next one */
}

/* An override of Message adds to it, mostly. */
static bool says(const struct nt_last_words *words, const char *message)
{
	if (!words->message)
		return false;
	size_t length = strlen(message), kept = strlen(words->message);
	return strncmp(words->message, message, !words->stack && kept < length ? kept : length) == 0;
}

/* The nearest to the stack pointer that is such a text, and of that exception: its inner ones have texts of their own. */
static bool find_below(const struct nt_last_look_record *record, const char *message, struct nt_last_words *words)
{
	for (uint32_t i = 0; i < record->text_count; i++) {
		size_t units = record->texts[i].length, most = NT_LAST_LOOK_TEXT_BYTES / 2;
		bool is_one = nt_last_words_parse(record->texts[i].bytes, units < most ? units : most, units <= most, words);
		if (is_one && (!*message || says(words, message)))
			return true;
	}
	return false;
}

/* The exception's own message; "" = none. */
static void message_of(const struct nt_last_look_record *record, char *out, size_t size)
{
	nt_utf16_to_utf8(record->message, record->message_length, out, size);
}

/* A managed string may begin at `at` in the heap's copy; its units, as far as they were copied. */
static const uint8_t *string_at(const struct nt_last_look_record *record, size_t at, size_t *units, bool *whole)
{
	enum { LENGTH_AT = 8, TEXT_AT = 12, SHORTEST = 4, LONGEST = 1 << 15 };
	const uint8_t *text = record->heap + at + TEXT_AT;
	uint32_t length;
	size_t room = (sizeof(record->heap) - at - TEXT_AT) / 2;
	memcpy(&length, record->heap + at + LENGTH_AT, sizeof(length));
	*whole = length < room;
	*units = *whole ? length : room;
	if (length < SHORTEST || length > LONGEST || text[1] || text[0] < 'A' || (*whole && (text[2 * length] || text[2 * length + 1])))
		return NULL;
	return text;
}

enum { STRING_LEAST = 16 };

/* Behind the exception in the heap: a text that says the same. */
static bool find_behind(const struct nt_last_look_record *record, const char *message, struct nt_last_words *words)
{
	for (size_t at = 8; *message && at + STRING_LEAST < sizeof(record->heap); at += 8) {
		size_t units;
		bool whole;
		const uint8_t *text = string_at(record, at, &units, &whole);
		if (text && nt_last_words_parse(text, units, whole, words) && says(words, message))
			return true;
	}
	return false;
}

/* What a thread allocates first when it describes an exception is the name of its type: the first such name behind the exception, if it is one of an exception. */
static bool find_type(const struct nt_last_look_record *record, const char *message, char *out, size_t size)
{
	enum { NEAR = 4096 };
	for (size_t at = 8; at < NEAR; at += 8) {
		size_t units;
		bool whole;
		const uint8_t *text = string_at(record, at, &units, &whole);
		if (!text || !whole)
			continue;
		nt_utf16_to_utf8(text, units, out, size);
		if (strcmp(out, message) != 0 && nt_last_words_is_type(out))
			return true;
	}
	return false;
}

static void tell_words(const struct nt_last_words *words, struct nt_outbox *box, struct nt_ev_target *out)
{
	out->exception = nt_outbox_str(box, words->type);
	out->message = nt_outbox_str(box, words->message);
	out->stack = nt_outbox_str(box, words->stack);
}

/* Of an exception that nobody caught. Returns why there is not all of it, NULL = there is. */
static const char *tell_exception(const struct nt_last_look_record *record, struct nt_outbox *box, struct nt_ev_target *out)
{
	struct nt_last_words *words = nt_alloc(sizeof(*words));
	char *message = nt_alloc(NT_LAST_WORDS_BYTES);
	const char *reason = NULL;
	if (record->exception)
		message_of(record, message, NT_LAST_WORDS_BYTES);
	if (find_below(record, message, words) || find_behind(record, message, words)) {
		tell_words(words, box, out);
		if (!words->stack)
			reason = "the exception's text is longer than what is kept of it";
	} else {
		out->message = nt_outbox_str(box, message);
		bool has_type = record->exception && find_type(record, message, words->text, sizeof(words->text));
		out->exception = has_type ? nt_outbox_str(box, words->text) : 0;
		reason = has_type ? NULL : "what the runtime has printed is not in its memory any more";
	}
	free(message);
	free(words);
	return reason;
}

/* What Environment.FailFast was called with. Returns why there is not all of it, NULL = there is. */
static const char *tell_fail_fast(const struct nt_last_look_record *record, struct nt_outbox *box, struct nt_ev_target *out)
{
	size_t most = NT_LAST_LOOK_TEXT_BYTES / 2, units = record->fail_length < most ? record->fail_length : most;
	char *text = nt_alloc(NT_LAST_WORDS_BYTES);
	nt_utf16_to_utf8(record->fail_text, units, text, NT_LAST_WORDS_BYTES);
	out->end_how = NT_END_FAILED_FAST;
	out->message = nt_outbox_str(box, text);
	free(text);
	return units < record->fail_length ? "the message is longer than what is kept of it" : NULL;
}

static void add_stack(const struct nt_last_look_record *record, struct nt_outbox *box, struct nt_event *event)
{
	uint64_t frames[STACK_MAX];
	size_t count = nt_frame_chain(record->above, sizeof(record->above), record->stack_pointer, frames, STACK_MAX);
	if (count)
		event->stack = nt_interner_stack(box->interner, nt_outbox_batch(box), frames, 0, (unsigned)count);
}

/* Its innermost frames, and behind them its outermost. Those of the runtime, which handles it, come first: the names tell. */
static void tell_overflow(const struct nt_last_look_record *record, struct nt_outbox *box, struct nt_event *event)
{
	uint64_t frames[STACK_MAX];
	uint32_t count = record->frame_count < NT_LAST_LOOK_INNER ? record->frame_count : NT_LAST_LOOK_INNER;
	memcpy(frames, record->inner, count * sizeof(*frames));
	uint32_t outer = record->frame_count - count < OUTER_MAX ? record->frame_count - count : OUTER_MAX;
	for (uint32_t i = 0; i < outer; i++)
		frames[count + i] = record->outer[(record->frame_count - outer + i) % NT_LAST_LOOK_OUTER];
	if (count)
		event->stack = nt_interner_stack(box->interner, nt_outbox_batch(box), frames, 0, count + outer);
	event->u.target.end_how = NT_END_OVERFLOWED;
	event->u.target.end_frames = record->frame_count;
}

static const char *tell_abort(const struct nt_procfs_cause *cause, struct nt_outbox *box, struct nt_event *event)
{
	if (!cause->look)
		return cause->reason;
	const struct nt_last_look_record *record = nt_last_look_read(cause->look);
	if (!record)
		return "the program did not send itself the signal: another process did";
	event->tid = cause->same_namespace ? record->tid : 0; /* the threads that would tell are gone */
	if (record->overflowed && !record->exception) {
		tell_overflow(record, box, event);
		return NULL;
	}
	add_stack(record, box, event);
	if (record->fail_length)
		return tell_fail_fast(record, box, &event->u.target);
	if (record->fail_word) {
		event->u.target.end_how = NT_END_FAILED_FAST;
		return "none: the program called Environment.FailFast, with which message is not known";
	}
	bool said = nt_last_words_said(record->below, sizeof(record->below));
	if (said)
		event->u.target.end_how = NT_END_UNHANDLED;
	if (said || record->exception)
		return tell_exception(record, box, &event->u.target);
	return "the runtime has not said that there was one: a stack overflow, native code?";
}

void nt_procfs_cause_tell(struct nt_procfs_cause *cause, const int *wait_status, struct nt_outbox *box, struct nt_event *event)
{
	struct nt_ev_target *out = &event->u.target;
	const char *reason = NULL;
	if (!wait_status) {
		reason = "how the program ended is not known";
	} else if (!WIFSIGNALED(*wait_status)) {
		out->end_how = NT_END_EXITED;
		out->end_number = (uint32_t)WEXITSTATUS(*wait_status);
	} else {
		out->end_how = NT_END_SIGNALED;
		out->end_number = (uint32_t)WTERMSIG(*wait_status);
		reason = out->end_number == SIGABRT ? tell_abort(cause, box, event)
						    : "a program that an unhandled exception ends is ended by SIGABRT";
	}
	out->end_reason = nt_outbox_str(box, reason);
}
