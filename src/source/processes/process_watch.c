// SPDX-License-Identifier: GPL-2.0-only
#include "source/processes/process_watch.h"

#include "base/alloc.h"
#include "base/thread.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum phase { IDLE, LOOKING, DONE };

struct nt_process_watch {
	struct nt_process_scan *scan; /* the thread's while LOOKING, else nobody's */
	int event_fd;
	pthread_t thread;
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t asked;
	enum phase phase;
	bool stopped;
	enum nt_status status;
	struct nt_process_scan_result result;
	struct nt_error err;
};

static void look(struct nt_process_watch *watch)
{
	struct nt_process_scan_result result = { 0 };
	struct nt_error err = { 0 };
	enum nt_status status = nt_process_scan_look(watch->scan, &result, &err);
	pthread_mutex_lock(&watch->lock);
	watch->status = status;
	watch->result = result;
	watch->err = err;
	watch->phase = DONE;
	eventfd_write(watch->event_fd, 1);
}

static void *work(void *argument)
{
	struct nt_process_watch *watch = argument;
	pthread_mutex_lock(&watch->lock);
	while (!watch->stopped) {
		if (watch->phase != LOOKING) {
			pthread_cond_wait(&watch->asked, &watch->lock);
			continue;
		}
		pthread_mutex_unlock(&watch->lock);
		look(watch);
	}
	pthread_mutex_unlock(&watch->lock);
	return NULL;
}

enum nt_status nt_process_watch_new(const char *proc_root, unsigned perf_hz, bool readonly, const struct nt_process_choice *choice,
				    struct nt_process_watch **out, struct nt_error *err)
{
	struct nt_process_watch *watch = nt_alloc(sizeof(*watch));
	watch->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	watch->scan = nt_process_scan_new(proc_root, perf_hz, readonly, choice);
	pthread_mutex_init(&watch->lock, NULL);
	pthread_cond_init(&watch->asked, NULL);
	int failed = watch->event_fd < 0 ? errno : nt_thread_start(&watch->thread, 0, work, watch);
	if (!failed) {
		*out = watch;
		return NT_OK;
	}
	nt_process_scan_free(watch->scan);
	if (watch->event_fd >= 0)
		close(watch->event_fd);
	free(watch);
	return nt_error_errno(err, NT_ERR_FAILED, failed, "no thread for looking at the processes");
}

void nt_process_watch_free(struct nt_process_watch *watch)
{
	if (!watch)
		return;
	pthread_mutex_lock(&watch->lock);
	watch->stopped = true;
	pthread_cond_signal(&watch->asked);
	pthread_mutex_unlock(&watch->lock);
	nt_process_scan_cancel(watch->scan);
	pthread_join(watch->thread, NULL);
	pthread_mutex_destroy(&watch->lock);
	pthread_cond_destroy(&watch->asked);
	nt_process_scan_free(watch->scan);
	close(watch->event_fd);
	free(watch);
}

int nt_process_watch_fd(const struct nt_process_watch *watch)
{
	return watch->event_fd;
}

void nt_process_watch_ask(struct nt_process_watch *watch)
{
	pthread_mutex_lock(&watch->lock);
	watch->phase = LOOKING;
	pthread_cond_signal(&watch->asked);
	pthread_mutex_unlock(&watch->lock);
}

enum nt_status nt_process_watch_take(struct nt_process_watch *watch, struct nt_process_scan_result *out, struct nt_error *err)
{
	eventfd_t count;
	enum nt_status status = NT_AGAIN;
	pthread_mutex_lock(&watch->lock);
	if (watch->phase == DONE) {
		eventfd_read(watch->event_fd, &count);
		status = watch->status;
		*out = watch->result;
		if (err)
			*err = watch->err;
		watch->phase = IDLE;
	}
	pthread_mutex_unlock(&watch->lock);
	return status;
}
