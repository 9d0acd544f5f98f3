// SPDX-License-Identifier: MIT
#include "mirrors.h"

#include "forever.h"

#include <pthread.h>

struct mirror {
	struct ust1_tracepoint own;
	struct ust0_tracepoint *site;
	struct mirror *next;
};

static struct mirror *mirrors; // grows at its head only
static pthread_mutex_t copying = PTHREAD_MUTEX_INITIALIZER;

struct ust1_tracepoint *ust0_mirror_new(struct ust0_tracepoint *site, const char *provider, const char *event)
{
	struct mirror *mirror = ust0_forever(sizeof(*mirror));
	if (!mirror)
		return NULL;
	mirror->site = site;
	mirror->own = (struct ust1_tracepoint){
		.struct_size = sizeof(mirror->own),
		.provider_name = provider,
		.event_name = event,
		.provider_ref = site->provider_ref,
		.signature = site->signature,
	};
	pthread_mutex_lock(&copying);
	mirror->next = mirrors;
	__atomic_store_n(&mirrors, mirror, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&copying);
	return &mirror->own;
}

// A thread that sees the state must see the probes, too.
static void copy(struct mirror *mirror)
{
	struct ust0_tracepoint *site = mirror->site;
	const int state = __atomic_load_n(&mirror->own.state, __ATOMIC_ACQUIRE);
	if (!state)
		__atomic_store_n(&site->state, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&site->probes, __atomic_load_n(&mirror->own.probes, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
	if (state)
		__atomic_store_n(&site->state, state, __ATOMIC_RELEASE);
}

void ust0_mirrors_copy(void)
{
	// Without the lock a thread held up between load and store could bring back probes that are freed by then.
	pthread_mutex_lock(&copying);
	for (struct mirror *mirror = mirrors; mirror; mirror = mirror->next)
		copy(mirror);
	pthread_mutex_unlock(&copying);
}

void ust0_mirrors_copy_states(void)
{
	for (struct mirror *mirror = __atomic_load_n(&mirrors, __ATOMIC_ACQUIRE); mirror; mirror = mirror->next) {
		const int state = __atomic_load_n(&mirror->own.state, __ATOMIC_RELAXED);
		if (__atomic_load_n(&mirror->site->state, __ATOMIC_RELAXED) != state)
			__atomic_store_n(&mirror->site->state, state, __ATOMIC_RELAXED);
	}
}
