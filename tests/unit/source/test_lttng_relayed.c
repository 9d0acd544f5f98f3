// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "nettop/clock.h"
#include "source/lttng/lttng_relayed.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <unistd.h>

static void what_is_no_relay_is_refused(void **state)
{
	(void)state;
	static const char *const urls[] = {
		"",
		"10.0.0.1",
		"tcp://10.0.0.1",
		"net://",
		"net:///",
		"net://:5344",
		"net://host:",
		"net://host:/",
		"net://host:0",
		"net://host:65536",
		"net://host:-1",
		"net://host: 1",
		"net://host:5344x",
		"net://host/host/there/session",
	};
	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		struct nt_lttng_relayed *relayed = NULL;
		struct nt_error err = { 0 };
		assert_int_equal(nt_lttng_relayed_open(urls[i], &relayed, &err), NT_ERR_USAGE);
		assert_null(relayed);
		assert_non_null(strstr(err.cause[0], "net://HOST"));
	}
}

/* A port of 127.0.0.1 at which somebody listens who never answers. */
static int listen_and_be_silent(char url[64])
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &length), 0);
	assert_int_equal(listen(fd, 1), 0);
	snprintf(url, 64, "net://127.0.0.1:%u/", ntohs(address.sin_port));
	return fd;
}

static void a_relay_that_does_not_answer_keeps_nobody(void **state)
{
	(void)state;
	char url[64];
	struct nt_lttng_relayed *relayed;
	struct nt_error err = { 0 };
	int fd = listen_and_be_silent(url);
	assert_int_equal(nt_lttng_relayed_open(url, &relayed, &err), NT_OK);
	struct pollfd asked = { .fd = fd, .events = POLLIN };
	assert_int_equal(poll(&asked, 1, 10000), 1);
	nt_time before = nt_clock_now();
	nt_lttng_relayed_close(relayed);
	assert_in_range(nt_clock_now() - before, 0, 5 * NT_NS_PER_S);
	close(fd);
}

static void one_that_is_not_there_is_said(void **state)
{
	(void)state;
	char url[64];
	size_t count;
	struct nt_lttng_relayed *relayed;
	struct nt_error err = { 0 };
	close(listen_and_be_silent(url));
	assert_int_equal(nt_lttng_relayed_open(url, &relayed, &err), NT_OK);
	nt_time deadline = nt_clock_now() + 20 * NT_NS_PER_S;
	while (!*nt_lttng_relayed_says(relayed) && nt_clock_now() < deadline)
		poll(NULL, 0, 5);
	assert_true(*nt_lttng_relayed_says(relayed));
	free(nt_lttng_relayed_processes(relayed, &count));
	assert_int_equal(count, 0);
	assert_null(nt_lttng_relayed_take(relayed));
	nt_lttng_relayed_close(relayed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_relay_is_refused),
		cmocka_unit_test(a_relay_that_does_not_answer_keeps_nobody),
		cmocka_unit_test(one_that_is_not_there_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
