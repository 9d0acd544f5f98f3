// SPDX-License-Identifier: MIT
#include "readers.h"

#include "debug.h"
#include "ust1.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void tp_rcu_read_lock_bp(void);
EXPORT void tp_rcu_read_unlock_bp(void);

// First member of struct lttng_ust_urcu_reader and of struct lttng_ust_urcu_gp. Its lower half counts how deep a thread is in critical sections.
typedef unsigned long counter;

// A thread-local variable, as compilers describe it to the function that finds it.
struct variable {
	size_t module, offset;
};
void *__tls_get_addr(struct variable *variable);

static void nothing(void)
{
}

static void (*lttng_lock)(void) = nothing;
static void (*lttng_unlock)(void) = nothing;

static bool is_inlined;
static struct variable lttng_reader; // counter *
static const counter *grace_period;

// Where `lttng_reader` lies in this thread; NULL before its first event, and always when nothing is inlined. Found without a call.
static __thread counter **reader __attribute__((tls_model("initial-exec")));

static unsigned depth(counter now)
{
	return (uint32_t)now;
}

// Not inlined, for the sake of the function that seldom calls it.
__attribute__((noinline, cold)) static void lock_by_call(void)
{
	lttng_lock(); // registers the thread
	if (is_inlined)
		reader = __tls_get_addr(&lttng_reader);
}

// Where LTTng says that membarrier() is there, its writers see to the order of memory, and readers only to that of the compiler.
void tp_rcu_read_lock_bp(void)
{
	if (!reader || !*reader) {
		lock_by_call();
		return;
	}
	counter *own = *reader;
	const counter now = *own;
	if (__builtin_expect(depth(now) == 0, 1))
		__atomic_store_n(own, __atomic_load_n(grace_period, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
	else
		__atomic_store_n(own, now + 1, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

void tp_rcu_read_unlock_bp(void)
{
	if (!reader) {
		lttng_unlock();
		return;
	}
	counter *own = *reader;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	__atomic_store_n(own, *own - 1, __ATOMIC_RELAXED);
}

void ust0_readers_call(void (*lock)(void), void (*unlock)(void))
{
	lttng_lock = lock;
	lttng_unlock = unlock;
}

static bool find_variable(void *library, const char *name, struct variable *variable)
{
	char *address = dlsym(library, name), *block;
	if (!address || dlinfo(library, RTLD_DI_TLS_MODID, &variable->module) || dlinfo(library, RTLD_DI_TLS_DATA, &block) || !block)
		return false;
	variable->offset = (size_t)(address - block);
	return __tls_get_addr(variable) == address;
}

// Whether LTTng's functions do to this thread's reader what is inlined.
static bool is_as_expected(void)
{
	lttng_lock();
	counter *const *own = __tls_get_addr(&lttng_reader);
	const bool is_entered = depth(*grace_period) == 1 && *own && depth(**own) == 1;
	lttng_lock();
	const bool is_nested = is_entered && depth(**own) == 2;
	lttng_unlock();
	lttng_unlock();
	return is_nested && depth(**own) == 0;
}

void ust0_readers_inline(void)
{
	void *library = dlopen(UST1_COMMON, RTLD_NOW | RTLD_NOLOAD);
	if (!library)
		return;
	const int *has_membarrier = dlsym(library, "lttng_ust_urcu_has_sys_membarrier");
	grace_period = dlsym(library, "lttng_ust_urcu_gp");
	is_inlined = has_membarrier && *has_membarrier && grace_period && find_variable(library, "lttng_ust_urcu_reader", &lttng_reader) &&
		     is_as_expected();
	if (!is_inlined)
		ust0_debug("call sites are entered by calls of %s", UST1_TRACEPOINT);
}
