// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap/codemap_inbox.h"

#include "base/alloc.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct nt_codemap_inbox {
	pthread_mutex_t lock; /* of everything below */
	pthread_cond_t came;
	struct nt_image_question questions[NT_CODEMAP_QUESTIONS_MAX]; /* ring */
	size_t first, count;
	bool news;       /* something came since the last wait */
	bool wants_room; /* the next poke is news */
	bool stopped, cancelled;
	enum nt_codemap_need need;
};

struct nt_codemap_inbox *nt_codemap_inbox_new(void)
{
	struct nt_codemap_inbox *inbox = nt_alloc(sizeof(*inbox));
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&inbox->came, &attributes);
	pthread_condattr_destroy(&attributes);
	pthread_mutex_init(&inbox->lock, NULL);
	return inbox;
}

void nt_codemap_inbox_free(struct nt_codemap_inbox *inbox)
{
	if (!inbox)
		return;
	for (struct nt_image_question question; nt_codemap_inbox_take(inbox, &question);)
		nt_image_question_fini(&question);
	pthread_cond_destroy(&inbox->came);
	pthread_mutex_destroy(&inbox->lock);
	free(inbox);
}

static void lock(struct nt_codemap_inbox *inbox)
{
	pthread_mutex_lock(&inbox->lock);
}

static void unlock_with_news(struct nt_codemap_inbox *inbox)
{
	inbox->news = true;
	pthread_cond_signal(&inbox->came);
	pthread_mutex_unlock(&inbox->lock);
}

size_t nt_codemap_inbox_ask(struct nt_codemap_inbox *inbox, uint32_t pid, const struct nt_question *questions, size_t count)
{
	size_t taken = 0;
	lock(inbox);
	for (size_t i = 0; i < count && inbox->count < NT_CODEMAP_QUESTIONS_MAX && !inbox->stopped; i++) {
		const struct nt_question *question = &questions[i];
		if (question->pid != pid)
			continue;
		taken++;
		inbox->questions[(inbox->first + inbox->count++) % NT_CODEMAP_QUESTIONS_MAX] =
			(struct nt_image_question){ .inode = question->inode,
						    .offset = question->offset,
						    .map_start = question->map_start,
						    .map_end = question->map_end,
						    .time = question->time,
						    .image = nt_strdup(question->image ? question->image : ""),
						    .method = nt_strdup(question->method) };
	}
	unlock_with_news(inbox);
	return taken;
}

bool nt_codemap_inbox_take(struct nt_codemap_inbox *inbox, struct nt_image_question *out)
{
	lock(inbox);
	bool some = inbox->count > 0;
	if (some) {
		*out = inbox->questions[inbox->first];
		inbox->first = (inbox->first + 1) % NT_CODEMAP_QUESTIONS_MAX;
		inbox->count--;
	}
	pthread_mutex_unlock(&inbox->lock);
	return some;
}

void nt_codemap_inbox_need(struct nt_codemap_inbox *inbox, bool needed)
{
	lock(inbox);
	if (inbox->need != NT_CODEMAP_NEEDED)
		inbox->need = needed ? NT_CODEMAP_NEEDED : NT_CODEMAP_NOT_NEEDED;
	unlock_with_news(inbox);
}

enum nt_codemap_need nt_codemap_inbox_needs(struct nt_codemap_inbox *inbox)
{
	lock(inbox);
	enum nt_codemap_need need = inbox->need;
	pthread_mutex_unlock(&inbox->lock);
	return need;
}

void nt_codemap_inbox_stop(struct nt_codemap_inbox *inbox)
{
	lock(inbox);
	inbox->stopped = true;
	unlock_with_news(inbox);
}

void nt_codemap_inbox_cancel(struct nt_codemap_inbox *inbox)
{
	lock(inbox);
	inbox->stopped = inbox->cancelled = true;
	unlock_with_news(inbox);
}

bool nt_codemap_inbox_stopped(struct nt_codemap_inbox *inbox)
{
	lock(inbox);
	bool stopped = inbox->stopped;
	pthread_mutex_unlock(&inbox->lock);
	return stopped;
}

bool nt_codemap_inbox_cancelled(struct nt_codemap_inbox *inbox)
{
	lock(inbox);
	bool cancelled = inbox->cancelled;
	pthread_mutex_unlock(&inbox->lock);
	return cancelled;
}

void nt_codemap_inbox_want_room(struct nt_codemap_inbox *inbox)
{
	lock(inbox);
	inbox->wants_room = true;
	pthread_mutex_unlock(&inbox->lock);
}

void nt_codemap_inbox_poke(struct nt_codemap_inbox *inbox)
{
	lock(inbox);
	if (!inbox->wants_room) {
		pthread_mutex_unlock(&inbox->lock);
		return;
	}
	inbox->wants_room = false;
	unlock_with_news(inbox);
}

void nt_codemap_inbox_wait(struct nt_codemap_inbox *inbox, nt_time until_ns)
{
	struct timespec until = { .tv_sec = (time_t)(until_ns / NT_NS_PER_S), .tv_nsec = (long)(until_ns % NT_NS_PER_S) };
	lock(inbox);
	int result = 0;
	while (!inbox->news && result != ETIMEDOUT)
		result = pthread_cond_timedwait(&inbox->came, &inbox->lock, &until);
	inbox->news = false;
	pthread_mutex_unlock(&inbox->lock);
}
