/* SPDX-License-Identifier: GPL-2.0-only */
/* Room translate: files of other tools become recordings. */
/*
 * A translator reads the file of another tool and tells a recorder what a source would have sent a model, had it been there. It runs in a process without rights (translate_process.h), which has nothing but
 * the file and the recording.
 */
#ifndef NT_TRANSLATE_TRANSLATOR_H
#define NT_TRANSLATE_TRANSLATOR_H

#include "record/recorder.h"

/* So many bytes of a file's begin are looked at to tell what it is. */
enum { NT_TRANSLATOR_BEGIN = 64, NT_TRANSLATION_PROCESS = 64 };

/* What the person says besides the file. */
struct nt_translation_wish {
	char process[NT_TRANSLATION_PROCESS]; /* of several the one with this pid or name; "" = it is not said */
	int names;                            /* a perf map or a jitdump, a regular file at its begin; -1 = none. Stays the caller's */
};

struct nt_translator {
	const char *what; /* for sentences: "a .nettrace file" */

	/* NULL: it is of folders, and every folder is one. Is it one? `begin` has `size` bytes, NT_TRANSLATOR_BEGIN unless the file is shorter. It is asked in nettop itself: a look at a magic, and no more. */
	bool (*recognises)(const uint8_t *begin, size_t size);

	bool chooses;     /* a file may have several processes, of which one is told of: wish->process */
	bool takes_names; /* what lies at an address may be in another file: wish->names */

	/*
	 * Read `fd`, a regular file at its begin, or a folder, which stays the caller's: settings first, then batches and ticks in the order of their times, a tick each second. What the file cannot tell is told of nobody;
	 * sources that are not in it are NT_STATE_ABSENT, with that as the reason. What is damaged or missing is a note; an error is for a file of which nothing can be told.
	 */
	enum nt_status (*translate)(int fd, const struct nt_translation_wish *wish, struct nt_recorder *out, struct nt_error *err);

	/* What has to be done while there still are rights: libraries that are loaded. NULL: nothing. */
	enum nt_status (*prepare)(struct nt_error *err);
};

/* All of them, up to one without a name. */
extern const struct nt_translator nt_translators[];

#endif
