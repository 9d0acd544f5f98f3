// SPDX-License-Identifier: GPL-2.0-only
#include "source/procfs_cause.h"

#include "base/alloc.h"
#include "decode/last_words.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

void nt_procfs_cause_init(struct nt_procfs_cause *cause, const struct nt_target *target)
{
	struct nt_error err = { 0 };
	*cause = (struct nt_procfs_cause){ 0 };
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

/* The nearest to the stack pointer that is such a text: what is further away may be of an exception before. */
static bool find_words(const struct nt_last_look_record *record, struct nt_last_words *words)
{
	for (uint32_t i = 0; i < record->text_count; i++) {
		size_t units = record->texts[i].length, most = NT_LAST_LOOK_TEXT_BYTES / 2;
		if (nt_last_words_parse(record->texts[i].bytes, units < most ? units : most, units <= most, words))
			return true;
	}
	return false;
}

/* Of an abort. Returns why there is nothing, NULL = there is. */
static const char *tell_words(const struct nt_procfs_cause *cause, struct nt_outbox *box, struct nt_ev_target *out)
{
	if (!cause->look)
		return cause->reason;
	const struct nt_last_look_record *record = nt_last_look_read(cause->look);
	if (!record)
		return "the program did not send itself the signal: another process did";
	if (!nt_last_words_said(record->below, sizeof(record->below)))
		return "the runtime has not left the words of an unhandled exception: FailFast, a stack overflow, native code, or .NET "
		       "before 10";
	struct nt_last_words *words = nt_alloc(sizeof(*words));
	bool found = find_words(record, words);
	const char *reason = found ? NULL : "there was an unhandled exception, but its text was not where the runtime leaves it";
	if (found && !words->stack)
		reason = "the exception's text is longer than what is kept of it";
	if (found) {
		out->exception = nt_outbox_str(box, words->type);
		out->message = nt_outbox_str(box, words->message);
		out->stack = nt_outbox_str(box, words->stack);
	}
	free(words);
	return reason;
}

void nt_procfs_cause_tell(struct nt_procfs_cause *cause, const int *wait_status, struct nt_outbox *box, struct nt_ev_target *out)
{
	const char *reason = NULL;
	if (!wait_status) {
		reason = "how the program ended is not known";
	} else if (!WIFSIGNALED(*wait_status)) {
		out->end_how = NT_END_EXITED;
		out->end_number = (uint32_t)WEXITSTATUS(*wait_status);
	} else {
		out->end_how = NT_END_SIGNALED;
		out->end_number = (uint32_t)WTERMSIG(*wait_status);
		reason = out->end_number == SIGABRT ? tell_words(cause, box, out)
						    : "a program that an unhandled exception ends is ended by SIGABRT";
	}
	out->end_reason = nt_outbox_str(box, reason);
}
