// SPDX-License-Identifier: GPL-2.0-only
/* What a runtime is asked for, so that it publishes counters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "source/eventpipe/eventpipe_counters.h"

#include <stdio.h>
#include <string.h>

static const struct nt_ipc_provider *provider(const struct nt_counter_request *request, const char *name)
{
	const struct nt_ipc_provider *found = NULL;
	for (size_t i = 0; i < request->provider_count; i++) {
		if (strcmp(request->providers[i].name, name) != 0)
			continue;
		assert_null(found); /* the runtime would not see the second */
		found = &request->providers[i];
	}
	return found;
}

static void the_runtime_is_asked_at_least_twice_a_second(void **state)
{
	(void)state;
	struct nt_counter_request request;
	assert_int_equal(nt_counter_period(NT_COUNTERS_RUNTIME, true, 10 * NT_NS_PER_S), NT_NS_PER_S / 2);
	assert_int_equal(nt_counter_period(NT_COUNTERS_RUNTIME, false, NT_NS_PER_S / 5), NT_NS_PER_S / 2);
	assert_int_equal(nt_counter_period(NT_COUNTERS_RUNTIME, true, NT_NS_PER_S / 5), NT_NS_PER_S / 5);
	assert_int_equal(nt_counter_period(NT_COUNTERS_OTHERS, true, 10 * NT_NS_PER_S), 10 * NT_NS_PER_S);
	nt_counter_request_fill(&request, NT_COUNTERS_RUNTIME, "Shop", NT_NS_PER_S / 2);
	assert_int_equal(request.provider_count, 1);
	const struct nt_ipc_provider *runtime = provider(&request, "System.Runtime");
	assert_string_equal(runtime->arguments, "EventCounterIntervalSec=0.500");
	assert_int_equal(runtime->level, 1);
}

static void what_is_named_is_asked_for_in_both_ways(void **state)
{
	(void)state;
	struct nt_counter_request request;
	nt_counter_request_fill(&request, NT_COUNTERS_OTHERS, "Shop.Orders,System.Net.Http,Shop.Orders", 10 * NT_NS_PER_S);
	assert_string_equal(provider(&request, "Shop.Orders")->arguments, "EventCounterIntervalSec=10.000");
	assert_non_null(provider(&request, "System.Net.Http"));
	assert_non_null(provider(&request, "Microsoft-AspNetCore-Server-Kestrel"));
	const struct nt_ipc_provider *metrics = provider(&request, "System.Diagnostics.Metrics");
	assert_int_equal(metrics->keywords, 2);
	assert_non_null(strstr(metrics->arguments, "SessionId=SHARED;Metrics=Microsoft.AspNetCore.Hosting,"));
	assert_non_null(strstr(metrics->arguments, ",Shop.Orders,System.Net.Http,Shop.Orders;RefreshInterval=10.000;"));
	assert_non_null(strstr(metrics->arguments, ";ClientId=nettop-"));
}

/* But for Meters by which requests are told. */
static void what_is_left_out_is_not_asked_for(void **state)
{
	(void)state;
	struct nt_counter_request request;
	nt_counter_request_fill(&request, NT_COUNTERS_OTHERS, "-System.Net.Sockets,Shop,-System.Net.Http,-Microsoft.AspNetCore.Routing",
				NT_NS_PER_S);
	assert_null(provider(&request, "System.Net.Sockets"));
	assert_null(provider(&request, "-System.Net.Sockets"));
	assert_null(provider(&request, "System.Net.Http"));
	assert_non_null(provider(&request, "Shop"));
	assert_non_null(provider(&request, "System.Net.Security"));
	const char *metrics = provider(&request, "System.Diagnostics.Metrics")->arguments;
	assert_non_null(strstr(metrics, ",System.Net.Http,"));
	assert_null(strstr(metrics, "Routing"));
	assert_null(strstr(metrics, "-System"));
	assert_non_null(strstr(metrics, ",Shop;RefreshInterval"));
	nt_counter_request_fill(&request, NT_COUNTERS_REQUESTS, "-Npgsql,Shop", NT_NS_PER_S);
	assert_int_equal(request.provider_count, 1);
	assert_non_null(
		strstr(request.providers[0].arguments,
		       "Metrics=Microsoft.AspNetCore.Hosting,Microsoft.AspNetCore.Server.Kestrel,System.Net.Http,Npgsql,MySqlConnector;"));
	assert_null(nt_counter_names_problem("-System.Net.Sockets,Shop"));
	assert_string_equal(nt_counter_names_problem("-Shop"), "leaves out a name that is not asked for by itself");
}

/* Its events would reach both sessions, and count twice. */
static void the_sets_share_no_event_source(void **state)
{
	(void)state;
	struct nt_counter_request request;
	nt_counter_request_fill(&request, NT_COUNTERS_OTHERS, "System.Runtime,System.Diagnostics.Metrics", NT_NS_PER_S);
	assert_null(provider(&request, "System.Runtime"));
	assert_non_null(strstr(provider(&request, "System.Diagnostics.Metrics")->arguments, ",System.Runtime,"));
	nt_counter_request_fill(&request, NT_COUNTERS_NONE, "Shop", NT_NS_PER_S);
	assert_int_equal(request.provider_count, 0);
}

/* Together they still fit into one request. */
static void as_many_as_can_be_named(void **state)
{
	(void)state;
	struct nt_counter_request request;
	char names[NT_COUNTER_NAMES_MAX * NT_COUNTER_NAME_BYTES + sizeof(",x")] = "";
	uint8_t bytes[NT_IPC_REQUEST_MAX];
	size_t used = 0;
	for (int i = 0; i < NT_COUNTER_NAMES_MAX; i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%0*d", i ? "," : "", NT_COUNTER_NAME_BYTES - 1, i);
	assert_null(nt_counter_names_problem(names));
	nt_counter_request_fill(&request, NT_COUNTERS_OTHERS, names, NT_NS_PER_S);
	assert_int_equal(strlen(request.providers[request.provider_count - 1].name), NT_COUNTER_NAME_BYTES - 1);
	assert_non_null(strstr(request.metrics, "ClientId")); /* not cut */
	const struct nt_ipc_session session = { .buffer_mb = 64, .providers = request.providers, .provider_count = request.provider_count };
	assert_true(nt_ipc_collect_tracing(NT_IPC_COLLECT_TRACING5, &session, bytes, sizeof(bytes)) > 0);
	snprintf(names + used, sizeof(names) - used, ",x");
	assert_non_null(nt_counter_names_problem(names));
}

static void names_are_checked(void **state)
{
	static const char *const wrong[] = { "a;b", "a=b", "a\"b", ",a", "a,,b", "a,", "a\nb" };
	char longest[NT_COUNTER_NAME_BYTES + 1];
	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_non_null(nt_counter_names_problem(wrong[i]));
	assert_null(nt_counter_names_problem(""));
	assert_null(nt_counter_names_problem("Shop.Orders,Größe"));
	memset(longest, 'x', sizeof(longest));
	longest[NT_COUNTER_NAME_BYTES] = '\0';
	assert_non_null(nt_counter_names_problem(longest));
	longest[NT_COUNTER_NAME_BYTES - 1] = '\0';
	assert_null(nt_counter_names_problem(longest));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_runtime_is_asked_at_least_twice_a_second),
		cmocka_unit_test(what_is_named_is_asked_for_in_both_ways),
		cmocka_unit_test(what_is_left_out_is_not_asked_for),
		cmocka_unit_test(the_sets_share_no_event_source),
		cmocka_unit_test(as_many_as_can_be_named),
		cmocka_unit_test(names_are_checked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
