// SPDX-License-Identifier: GPL-2.0-only
#include "source/common/hand.h"

#include "base/alloc.h"
#include "base/thread.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

/* Enough for libelf and the decoders; a thread that hangs should cost little. */
enum { STACK_BYTES = 256 << 10 };

/* Shared by the hand and its threads, also by the abandoned ones; the last of them frees it. Everything in it and in the posts is under `lock`. */
struct office {
	pthread_mutex_t lock;
	pthread_cond_t answered; /* an errand ended, or cancelled */
	unsigned refs;
	unsigned abandoned_count;
	bool cancelled;
	uint64_t cpu_ns;
};

/* One thread. */
struct post {
	struct office *office;
	pthread_cond_t called; /* an errand is there, or quit */
	struct nt_errand *errand;
	bool busy, quit, abandoned;
};

struct nt_hand {
	struct office *office;
	struct post *post; /* NULL = no thread at present */
	pthread_t thread;
};

static void office_unref_locked(struct office *office)
{
	bool last = --office->refs == 0;
	pthread_mutex_unlock(&office->lock);
	if (!last)
		return;
	pthread_mutex_destroy(&office->lock);
	pthread_cond_destroy(&office->answered);
	free(office);
}

static void init_cond(pthread_cond_t *cond)
{
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(cond, &attributes);
	pthread_condattr_destroy(&attributes);
}

static void *serve(void *argument)
{
	struct post *post = argument;
	struct office *office = post->office;
	uint64_t cpu_before = 0;
	pthread_mutex_lock(&office->lock);
	while (!post->abandoned) {
		while (!post->errand && !post->quit)
			pthread_cond_wait(&post->called, &office->lock);
		if (post->quit)
			break;
		pthread_mutex_unlock(&office->lock);
		post->errand->run(post->errand);
		uint64_t cpu = nt_clock_thread_cpu();
		pthread_mutex_lock(&office->lock);
		office->cpu_ns += cpu - cpu_before;
		cpu_before = cpu;
		post->busy = false;
		if (!post->abandoned)
			post->errand = NULL;
		/* Who hears it while we hold the lock would sleep once more. The office stays: whoever frees the hand joins us first, and for an abandoned post it is counted. */
		pthread_mutex_unlock(&office->lock);
		pthread_cond_signal(&office->answered);
		pthread_mutex_lock(&office->lock);
	}
	struct nt_errand *left = post->errand; /* of an abandoned thread */
	pthread_mutex_unlock(&office->lock);
	if (left) {
		left->release(left); /* outside the lock: it may close a file, and that can block too */
		pthread_mutex_lock(&office->lock);
		office->abandoned_count--;
		office_unref_locked(office);
	}
	pthread_cond_destroy(&post->called);
	free(post);
	return NULL;
}

struct nt_hand *nt_hand_new(void)
{
	struct nt_hand *hand = nt_alloc(sizeof(*hand));
	hand->office = nt_alloc(sizeof(*hand->office));
	pthread_mutex_init(&hand->office->lock, NULL);
	init_cond(&hand->office->answered);
	hand->office->refs = 1;
	return hand;
}

void nt_hand_free(struct nt_hand *hand)
{
	if (!hand)
		return;
	struct office *office = hand->office;
	pthread_mutex_lock(&office->lock);
	if (hand->post) {
		hand->post->quit = true;
		pthread_cond_signal(&hand->post->called);
		pthread_mutex_unlock(&office->lock);
		pthread_join(hand->thread, NULL);
		pthread_mutex_lock(&office->lock);
	}
	office_unref_locked(office);
	free(hand);
}

/* A thread for the next errand. */
static bool hire(struct nt_hand *hand)
{
	struct post *post = nt_alloc(sizeof(*post));
	post->office = hand->office;
	init_cond(&post->called);
	if (nt_thread_start(&hand->thread, STACK_BYTES, serve, post) != 0) {
		pthread_cond_destroy(&post->called);
		free(post);
		return false;
	}
	hand->post = post;
	return true;
}

/* The thread hangs with its errand: it releases both when it comes back. */
static void abandon(struct nt_hand *hand)
{
	hand->post->abandoned = true;
	hand->office->abandoned_count++;
	hand->office->refs++;
	pthread_detach(hand->thread);
	hand->post = NULL;
}

static enum nt_status wait_for(struct nt_hand *hand, nt_time timeout_ns)
{
	struct office *office = hand->office;
	nt_time until_ns = nt_clock_now() + timeout_ns;
	struct timespec until = { .tv_sec = (time_t)(until_ns / NT_NS_PER_S), .tv_nsec = (long)(until_ns % NT_NS_PER_S) };
	int result = 0;
	while (hand->post->busy && !office->cancelled && result != ETIMEDOUT)
		result = pthread_cond_timedwait(&office->answered, &office->lock, &until);
	if (!hand->post->busy)
		return NT_OK;
	enum nt_status status = office->cancelled ? NT_END : NT_ERR_TIMEOUT;
	abandon(hand);
	return status;
}

enum nt_status nt_hand_do(struct nt_hand *hand, struct nt_errand *errand, nt_time timeout_ns)
{
	struct office *office = hand->office;
	enum nt_status status = NT_OK;
	pthread_mutex_lock(&office->lock);
	if (office->cancelled)
		status = NT_END;
	else if (office->abandoned_count >= NT_HAND_ABANDONED_MAX || (!hand->post && !hire(hand)))
		status = NT_ERR_TIMEOUT;
	if (status != NT_OK) {
		pthread_mutex_unlock(&office->lock);
		errand->release(errand);
		return status;
	}
	hand->post->errand = errand;
	hand->post->busy = true;
	pthread_mutex_unlock(&office->lock); /* as in serve() */
	pthread_cond_signal(&hand->post->called);
	pthread_mutex_lock(&office->lock);
	status = wait_for(hand, timeout_ns);
	pthread_mutex_unlock(&office->lock);
	return status;
}

void nt_hand_cancel(struct nt_hand *hand)
{
	pthread_mutex_lock(&hand->office->lock);
	hand->office->cancelled = true;
	pthread_cond_broadcast(&hand->office->answered);
	pthread_mutex_unlock(&hand->office->lock);
}

uint64_t nt_hand_cpu_ns(struct nt_hand *hand)
{
	pthread_mutex_lock(&hand->office->lock);
	uint64_t cpu_ns = hand->office->cpu_ns;
	pthread_mutex_unlock(&hand->office->lock);
	return cpu_ns;
}
