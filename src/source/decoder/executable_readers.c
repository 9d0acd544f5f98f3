// SPDX-License-Identifier: GPL-2.0-only
#include "source/decoder/executable_readers.h"

#include "source/decoder/decoder.h"
#include "source/decoder/decoder_process.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { KEPT_MAX = 16, PLACE_BYTES = 64 };

static struct {
	pthread_mutex_t lock;
	unsigned looks; /* that are under way */
	struct reader {
		uid_t uid;
		struct nt_decoder *decoder; /* owned */
	} kept[KEPT_MAX];                   /* that nobody uses; the first one has been here longest */
	size_t count;
} readers = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- who is kept ---- */

/* With the lock held. */
static struct nt_decoder *remove_at(size_t index)
{
	struct nt_decoder *decoder = readers.kept[index].decoder;
	readers.count--;
	memmove(&readers.kept[index], &readers.kept[index + 1], (readers.count - index) * sizeof(readers.kept[0]));
	return decoder;
}

static struct nt_decoder *take_reader(uid_t uid)
{
	struct nt_decoder *found = NULL;
	pthread_mutex_lock(&readers.lock);
	for (size_t i = 0; !found && i < readers.count; i++)
		if (readers.kept[i].uid == uid)
			found = remove_at(i);
	pthread_mutex_unlock(&readers.lock);
	return found ? found : nt_decoder_new(NULL, NULL, NT_DECODER_WORD);
}

static void give_back(uid_t uid, struct nt_decoder *decoder)
{
	struct nt_decoder *leaves = decoder;
	pthread_mutex_lock(&readers.lock);
	if (readers.looks) {
		leaves = readers.count == KEPT_MAX ? remove_at(0) : NULL;
		readers.kept[readers.count++] = (struct reader){ uid, decoder };
	}
	pthread_mutex_unlock(&readers.lock);
	nt_decoder_free(leaves);
}

void nt_executable_readers_begin(void)
{
	pthread_mutex_lock(&readers.lock);
	readers.looks++;
	pthread_mutex_unlock(&readers.lock);
}

void nt_executable_readers_end(void)
{
	struct nt_decoder *leave[KEPT_MAX];
	size_t count = 0;
	pthread_mutex_lock(&readers.lock);
	if (--readers.looks == 0)
		while (readers.count)
			leave[count++] = remove_at(readers.count - 1);
	pthread_mutex_unlock(&readers.lock);
	while (count)
		nt_decoder_free(leave[--count]);
}

/* ---- what is said ---- */

static char letter_of(enum nt_deployment deployment)
{
	return (char)('0' + deployment);
}

/* A letter and the version, what it needs, what its configuration sets; blanks between them. */
void nt_executable_put(const struct nt_executable *found, char text[NT_EXECUTABLE_TEXT_BYTES])
{
	snprintf(text, NT_EXECUTABLE_TEXT_BYTES, "%c%s %s %s", letter_of(found->deployment), found->runtime, found->needs, found->config);
}

static bool take_kind(char letter, enum nt_deployment *out)
{
	static const enum nt_deployment kinds[] = { NT_DEPLOYED_UNKNOWN, NT_DEPLOYED_SINGLE_FILE, NT_DEPLOYED_NATIVE_AOT };
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		*out = kinds[i];
		if (letter == letter_of(kinds[i]))
			return true;
	}
	return false;
}

bool nt_executable_take(const char *text, struct nt_executable *out)
{
	struct nt_executable found = { 0 };
	const char *version = text + 1, *blank = strchr(text, ' '), *last = blank ? strchr(blank + 1, ' ') : NULL;
	*out = found;
	if (!last || blank == text || !take_kind(*text, &found.deployment) || (size_t)(blank - version) >= sizeof(found.runtime) ||
	    (size_t)(last - blank) > sizeof(found.needs))
		return false;
	memcpy(found.runtime, version, (size_t)(blank - version));
	if (*found.runtime && (found.deployment == NT_DEPLOYED_NATIVE_AOT || !nt_framework_version_holds(found.runtime)))
		return false;
	memcpy(found.needs, blank + 1, (size_t)(last - blank - 1));
	if ((*found.needs && !nt_executable_needs_holds(found.needs)) || !nt_runtime_config_holds(last + 1))
		return false;
	strcpy(found.config, last + 1);
	*out = found;
	return true;
}

static void take_answer(void *context, const struct nt_decoder_request *request, const struct nt_decoder_reply *reply)
{
	struct nt_executable *out = context;
	(void)request;
	if (!reply->answer->has_name)
		snprintf(out->reason, sizeof(out->reason), "%.*s", (int)sizeof(out->reason) - 1, reply->answer->text);
	else if (!nt_executable_take(reply->answer->text, out))
		snprintf(out->reason, sizeof(out->reason), "its executable is not read: its reader makes no sense");
}

void nt_executable_readers_read(int fd, uid_t uid, struct nt_executable *out)
{
	struct stat stat;
	char place[PLACE_BYTES]; /* by which it is known again, if it is one that kills */
	*out = (struct nt_executable){ 0 };
	if (fstat(fd, &stat) != 0)
		return;
	snprintf(place, sizeof(place), "%llx:%llx", (unsigned long long)stat.st_dev, (unsigned long long)stat.st_ino);
	const struct nt_decoder_request request = { .verb = NT_DECODE_EXECUTABLE, .of = { .inode = 1, .image = place }, .fd = fd };
	struct nt_decoder *decoder = take_reader(uid);
	nt_decoder_ask(decoder, &request, 1, take_answer, out);
	give_back(uid, decoder);
}
