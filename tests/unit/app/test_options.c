// SPDX-License-Identifier: GPL-2.0-only
/* Command lines, good and bad. The sentences are what a person reads who mistyped something: they name the word that is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tests/unit/command_line.h"

static void test_defaults(void **state)
{
	(void)state;
	struct nt_options options = parse_good("-p 4711");
	assert_string_equal(options.target, "4711");
	assert_int_equal(options.output, NT_OUTPUT_SCREEN);
	assert_int_equal(options.delay_ns, NT_NS_PER_S);
	assert_int_equal(options.interval_count, 0);
	assert_int_equal(options.duration_ns, 0);
	assert_int_equal(options.top, 50);
	assert_int_equal(options.perf_hz, 99);
	assert_null(options.lttng_session);
	assert_false(options.want_requests || options.no_payload);
	assert_false(options.want_alloc || options.want_catches || options.want_calls || options.want_waits || options.readonly ||
		     options.ascii || options.check_replay);
	for (unsigned source = 0; source < NT_SOURCE_COUNT; source++)
		assert_true(options.source_mask & 1u << source);
}

static void test_every_option(void **state)
{
	(void)state;
	struct nt_options options = parse_good(
		"--pid shop-web --delay 0.25 --count 3 --duration 1.5 --top 7 --rows 9 --frequency 49 "
		"--session web --alloc --catches --calls --requests --no-payload --waits --readonly --ascii --check-replay --json");
	assert_string_equal(options.target, "shop-web");
	assert_int_equal(options.delay_ns, NT_NS_PER_S / 4);
	assert_int_equal(options.interval_count, 3);
	assert_int_equal(options.duration_ns, NT_NS_PER_S * 3 / 2);
	assert_int_equal(options.top, 7);
	assert_int_equal(options.rows, 9);
	assert_int_equal(options.perf_hz, 49);
	assert_string_equal(options.lttng_session, "web");
	assert_true(options.want_requests && options.no_payload);
	assert_true(options.want_alloc && options.want_catches && options.want_calls && options.want_waits && options.readonly &&
		    options.ascii && options.check_replay);
	assert_int_equal(options.output, NT_OUTPUT_JSON);
}

static void test_call_graph(void **state)
{
	(void)state;
	assert_int_equal(parse_good("-p 1 --call-graph fp").call_graph, NT_CALL_GRAPH_FP);
	assert_int_equal(parse_good("-p 1 --call-graph leaf").call_graph, NT_CALL_GRAPH_LEAF);
	assert_int_equal(parse_good("-p 1 --call-graph leaf").perf_hz, 99);
	assert_int_equal(parse_good("-p 1 --call-graph hybrid").call_graph, NT_CALL_GRAPH_HYBRID);
	assert_int_equal(parse_good("-p 1 --call-graph hybrid").perf_hz, 99);
}

static void test_target_without_p(void **state)
{
	(void)state;
	assert_string_equal(parse_good("4711").target, "4711");
	assert_string_equal(parse_good("-b shop-web -n 1").target, "shop-web");
	assert_string_equal(parse_good("-b -- -odd-name").target, "-odd-name");
}

static void test_limits_are_in(void **state)
{
	(void)state;
	assert_int_equal(parse_good("-p 1 -d 0.1").delay_ns, NT_NS_PER_S / 10);
	assert_int_equal(parse_good("-p 1 -d 3600").delay_ns, 3600 * NT_NS_PER_S);
	assert_int_equal(parse_good("-p 1 -F 1").perf_hz, 1);
	assert_int_equal(parse_good("-p 1 --max-target-cost 20").max_target_cost_pct, 20);
	assert_int_equal(parse_good("-p 1").max_map_bytes, 256 << 20);
	assert_int_equal(parse_good("-p 1 --max-map 0").max_map_bytes, 0);
	assert_int_equal(parse_good("-p 1 --max-map 12345").max_map_bytes, 12345);
	assert_int_equal(parse_good("map -p 1 --max-map 20k").max_map_bytes, 20 << 10);
	assert_int_equal(parse_good("run --max-map 2G x").max_map_bytes, 2ull << 30);
	assert_int_equal(parse_good("-p 1 -F 10000").perf_hz, 10000);
	assert_int_equal(parse_good("-p 1 -F 199 --call-graph hybrid").perf_hz, 199);
	assert_int_equal(parse_good("-p 1 --top 0").top, 0);
}

static void test_json_and_batch_in_any_order(void **state)
{
	(void)state;
	assert_int_equal(parse_good("-p 1 -b").output, NT_OUTPUT_TEXT);
	assert_int_equal(parse_good("-p 1 -b --json").output, NT_OUTPUT_JSON);
	assert_int_equal(parse_good("-p 1 --json -b").output, NT_OUTPUT_JSON);
}

static void test_sources(void **state)
{
	(void)state;
	const unsigned always = 1u << NT_SOURCE_PROCFS | 1u << NT_SOURCE_APP;
	assert_int_equal(parse_good("-p 1 --source lttng").source_mask, always | 1u << NT_SOURCE_LTTNG);
	assert_int_equal(parse_good("-p 1 --source map,lttng").source_mask, always | 1u << NT_SOURCE_LTTNG | 1u << NT_SOURCE_CODEMAP);
	/* Samples are read with names or not at all. */
	assert_int_equal(parse_good("-p 1 --source perf").source_mask, always | 1u << NT_SOURCE_PERF | 1u << NT_SOURCE_CODEMAP);
	assert_int_equal(parse_good("-p 1 --source procfs").source_mask, always);
}

static void test_help_and_version_need_no_target(void **state)
{
	(void)state;
	assert_true(parse_good("--help").show_help);
	assert_true(parse_good("-V").show_version);
}

static void test_bad_lines(void **state)
{
	(void)state;
	static const struct {
		const char *line;
		const char *sentence;
	} cases[] = {
		{ "-p ''", "which process? Give its pid or name: nettop -p PID" },
		{ "-p 1 2", "'2' is one word too many; see nettop --help" },
		{ "-p", "option '--pid' needs a value (PID|NAME[,...]); see nettop --help" },
		{ "-p 1 --session", "option '--session' needs a value (NAME); see nettop --help" },
		{ "-p 1 --jsonl", "there is no option '--jsonl'; see nettop --help" },
		{ "-p 1 --json=yes", "option '--json' takes no value; see nettop --help" },
		{ "-p 1 -x", "there is no option '-x'; see nettop --help" },
		{ "-p 1 -bx", "there is no option '-x'; see nettop --help" },
		{ "-p 1 -xb", "there is no option '-x'; see nettop --help" },
		{ "-p 1 --call-graph dwarf", "--call-graph 'dwarf' is not known; use fp, leaf or hybrid" },
		{ "-p 1 -F 200 --call-graph hybrid",
		  "--call-graph hybrid copies 16 KB of the stack with each sample: at most 199 of them per second (-F 199)" },
		{ "-p 1 -d 0", "--delay '0' is not a number from 0.1 to 3600 (seconds)" },
		{ "-p 1 -d 0.09", "--delay '0.09' is not a number from 0.1 to 3600 (seconds)" },
		{ "-p 1 -d 3601", "--delay '3601' is not a number from 0.1 to 3600 (seconds)" },
		{ "-p 1 -d -1", "--delay '-1' is not a number from 0.1 to 3600 (seconds)" },
		{ "-p 1 -d nan", "--delay 'nan' is not a number from 0.1 to 3600 (seconds)" },
		{ "-p 1 -d inf", "--delay 'inf' is not a number from 0.1 to 3600 (seconds)" },
		{ "-p 1 -d 1s", "--delay '1s' is not a number from 0.1 to 3600 (seconds)" },
		{ "-p 1 -d 1,5", "--delay '1,5' is not a number from 0.1 to 3600 (seconds)" },
		{ "-p 1 -d ''", "--delay '' is not a number from 0.1 to 3600 (seconds)" },
		{ "-p 1 --duration 0", "--duration '0' is not a number from 0.1 to 1000000 (seconds)" },
		{ "-p 1 -n 0", "--count '0' is not a number from 1 up" },
		{ "-p 1 -n 1.5", "--count '1.5' is not a number from 1 up" },
		{ "-p 1 -n -1", "--count '-1' is not a number from 1 up" },
		{ "-p 1 -n 99999999999999999999", "--count '99999999999999999999' is not a number from 1 up" },
		{ "-p 1 --top many", "--top 'many' is not a number from 0 to 1000000" },
		{ "-p 1 --rows +5", "--rows '+5' is not a number from 0 to 10000" },
		{ "-p 1 --max-map 1T", "--max-map '1T' is not a number from 0 to 1000G (bytes; K, M and G are steps of 1024)" },
		{ "-p 1 --max-map M", "--max-map 'M' is not a number from 0 to 1000G (bytes; K, M and G are steps of 1024)" },
		{ "-p 1 --max-map 99999999999G",
		  "--max-map '99999999999G' is not a number from 0 to 1000G (bytes; K, M and G are steps of 1024)" },
		{ "-p 1 -F 0", "--frequency '0' is not a number from 1 to 10000 (samples per second)" },
		{ "-p 1 -F 10001", "--frequency '10001' is not a number from 1 to 10000 (samples per second)" },
		{ "-p 1 --counters Shop;x=1",
		  "--counters 'Shop;x=1' has a name with ; = or \" in it, which the runtime would not understand; use "
		  "NAME,NAME" },
		{ "-p 1 -f csv", "--format 'csv' is not known; use text, json, counters-csv or counters-json" },
		{ "-p 1 --counters a,,b", "--counters 'a,,b' has an empty name; use NAME,NAME" },
		{ "-p 1 --source ebpf", "--source: there is no source 'ebpf'; use perf, lttng, eventpipe, runtime or map" },
		{ "-p 1 --source perf,lttn", "--source: there is no source 'lttn'; use perf, lttng, eventpipe, runtime or map" },
		{ "-p 1 --source perf,,map", "--source: there is no source ''; use perf, lttng, eventpipe, runtime or map" },
		{ "-p 1 --source perf,", "--source: there is no source ''; use perf, lttng, eventpipe, runtime or map" },
		{ "-p 1 --source app", "--source: there is no source 'app'; use perf, lttng, eventpipe, runtime or map" },
		{ "-p 1 --source ''", "--source: there is no source ''; use perf, lttng, eventpipe, runtime or map" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_options options;
		struct nt_error err = { 0 };
		print_message("nettop %s\n", cases[i].line);
		assert_int_equal(parse(cases[i].line, &options, &err), NT_ERR_USAGE);
		assert_int_equal(err.cause_count, 1);
		assert_string_equal(err.cause[0], cases[i].sentence);
	}
}

/* A person looks for the letter or the word in the help; both tables are one, so this is about the printing only. */
static void test_ps(void **state)
{
	(void)state;
	assert_null(parse_good("").target); /* the list as a screen */
	struct nt_options options = parse_good("ps");
	struct nt_error err = { 0 };
	assert_int_equal(options.command, NT_COMMAND_PS);
	assert_null(options.target);
	assert_int_equal(parse_good("ps --json").output, NT_OUTPUT_JSON);
	assert_int_equal(parse("ps shop", &options, &err), NT_ERR_USAGE);
	assert_string_equal(err.cause[0], "'shop' is one word too many; see nettop --help");
	assert_int_equal(parse("ps -p 1", &options, &err), NT_ERR_USAGE);
}

static void test_doctor(void **state)
{
	(void)state;
	struct nt_options options = parse_good("doctor");
	assert_int_equal(options.command, NT_COMMAND_DOCTOR);
	assert_null(options.target);
	options = parse_good("doctor --json -p 4711");
	assert_string_equal(options.target, "4711");
	assert_int_equal(options.output, NT_OUTPUT_JSON);
	assert_string_equal(parse_good("doctor shop").target, "shop");
	assert_true(parse_good("doctor --help").show_help);
	/* A process of that name. */
	options = parse_good("-p doctor");
	assert_int_equal(options.command, NT_COMMAND_WATCH);
	assert_string_equal(options.target, "doctor");
	struct nt_error err = { 0 };
	assert_int_equal(parse("doctor --delay 2", &options, &err), NT_ERR_USAGE);
	assert_string_equal(err.cause[0], "nettop doctor has no option '--delay'; see nettop doctor --help");
	assert_int_equal(parse("doctor shop 12", &options, &err), NT_ERR_USAGE);
	assert_int_equal(parse("doctor -p ''", &options, &err), NT_ERR_USAGE);
}

static void test_env(void **state)
{
	(void)state;
	struct nt_options options = parse_good("env");
	assert_int_equal(options.command, NT_COMMAND_ENV);
	assert_int_equal(options.env_format, NT_ENV_SHELL);
	assert_true(!options.target && options.launch.perf_map && !options.launch.full);
	assert_true(!options.launch.event_source && !options.launch.event_name && !options.launch.bridge_dir);
	options = parse_good("env -p shop -f kubernetes --events full --event-source DotNET --event-name '' --bridge /b");
	assert_string_equal(options.target, "shop");
	assert_int_equal(options.env_format, NT_ENV_KUBERNETES);
	assert_true(options.launch.full);
	assert_string_equal(options.launch.event_source, "DotNET");
	assert_string_equal(options.launch.event_name, "");
	assert_string_equal(options.launch.bridge_dir, "/b");
	assert_false(parse_good("env --events default").launch.full);
	assert_string_equal(parse_good("-p env").target, "env");
	struct nt_error err = { 0 };
	assert_int_equal(parse("env --format csh", &options, &err), NT_ERR_USAGE);
	assert_string_equal(err.cause[0], "--format 'csh' is not known; use shell, systemd, docker or kubernetes");
	assert_int_equal(parse("env --events all", &options, &err), NT_ERR_USAGE);
	assert_string_equal(err.cause[0], "--events 'all' is not known; use default or full");
	assert_int_equal(parse("-p 1 --events full", &options, &err), NT_ERR_USAGE);
}

static void test_run(void **state)
{
	(void)state;
	struct nt_options options = parse_good("run --json -d 0.5 --events full -- dotnet App.dll -d 7 --json");
	assert_int_equal(options.command, NT_COMMAND_RUN);
	assert_int_equal(options.output, NT_OUTPUT_JSON);
	assert_int_equal(options.delay_ns, NT_NS_PER_S / 2); /* what follows the program is the program's */
	assert_true(options.launch.full);
	assert_string_equal(options.run_argv[0], "dotnet");
	assert_string_equal(options.run_argv[2], "-d");
	assert_string_equal(options.run_argv[4], "--json");
	assert_null(options.run_argv[5]);
	options = parse_good("run --event-name B sh -c x");
	assert_string_equal(options.launch.event_name, "B");
	assert_string_equal(options.run_argv[0], "sh");
	assert_string_equal(options.run_argv[1], "-c");
	assert_true(parse_good("run --help").show_help);
	static const char *const bad[][2] = {
		{ "run", "which program" },
		{ "run --", "which program" },
		{ "run -- ''", "which program" },
		{ "run --events some -- x", "'some'" },
		{ "run --event-source A -- x", "no option '--event-source'" }, /* whose events it does not read */
		{ "run -p 1 -- x", "-p" },
		{ "run --readonly -- x", "--readonly" },
		{ "-p x --readonly --map", "perf map" },
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct nt_error err = { 0 };
		assert_int_equal(parse(bad[i][0], &options, &err), NT_ERR_USAGE);
		if (!strstr(err.cause[0], bad[i][1]))
			fail_msg("'%s': \"%s\" does not say \"%s\"", bad[i][0], err.cause[0], bad[i][1]);
	}
}

static void test_jit(void **state)
{
	(void)state;
	struct nt_error err = { 0 };
	struct nt_options options = parse_good("jit -d 2.5 --compare old.json -p shop");
	assert_int_equal(options.command, NT_COMMAND_JIT);
	assert_string_equal(options.target, "shop");
	assert_null(options.run_argv);
	assert_int_equal(options.duration_ns, 2500 * NT_NS_PER_MS);
	assert_int_equal(options.delay_ns, NT_NS_PER_S);
	assert_string_equal(options.compare_path, "old.json");
	options = parse_good("jit --duration 3 --json dotnet App.dll -d 7");
	assert_int_equal(options.duration_ns, 3 * NT_NS_PER_S);
	assert_int_equal(options.output, NT_OUTPUT_JSON);
	assert_string_equal(options.run_argv[0], "dotnet");
	assert_string_equal(options.run_argv[2], "-d"); /* the program's own */
	assert_string_equal(parse_good("jit -- -d").run_argv[0], "-d");
	static const char *const bad[] = { "jit",           "jit -p 1 dotnet App.dll", "jit -p 1 -n 2",
					   "jit -d 0 -p 1", "jit --delay 1 -p 1",      "jit ''" };
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(parse(bad[i], &options, &err), NT_ERR_USAGE);
	options = parse_good("jit --repeat 5 --fail-above ms=200,methods=0 -- App");
	assert_int_equal(options.repeat, 5);
	assert_true(options.jit_limits.methods.known && options.jit_limits.methods.v == 0);
	assert_true(options.jit_limits.ms.known && options.jit_limits.ms.v == 200);
	assert_false(parse_good("jit --fail-above methods=7 -p 1").jit_limits.ms.known);
	static const char *const no_limits[] = { "5",      "ms=",       "ms=x",
						 "ms=5,",  "ms=5,ms=6", "ms=1.5",
						 "time=5", ",ms=5",     "ms=99999999999999999999999999999999" };
	for (size_t i = 0; i < sizeof(no_limits) / sizeof(no_limits[0]); i++) {
		char line[80];
		snprintf(line, sizeof(line), "jit --fail-above %s -p 1", no_limits[i]);
		assert_int_equal(parse(line, &options, &err), NT_ERR_USAGE);
		assert_non_null(strstr(err.cause[0], "methods=N,ms=N"));
	}
	assert_int_equal(parse("jit --repeat 3 -p 1", &options, &err), NT_ERR_USAGE);
	assert_non_null(strstr(err.cause[0], "--repeat is for a program to start"));
	assert_int_equal(parse("jit -d x -p 1", &options, &err), NT_ERR_USAGE);
	assert_non_null(strstr(err.cause[0], "--duration 'x'"));
	assert_int_equal(parse("jit -d", &options, &err), NT_ERR_USAGE);
	assert_non_null(strstr(err.cause[0], "'--duration' needs a value"));
}

static void test_stacks(void **state)
{
	(void)state;
	struct nt_error err = { 0 };
	struct nt_options options = parse_good("stacks -d 2.5 -f speedscope -o out.json -F 49 --readonly -p shop");
	assert_int_equal(options.command, NT_COMMAND_STACKS);
	assert_string_equal(options.target, "shop");
	assert_int_equal(options.duration_ns, 2500 * NT_NS_PER_MS);
	assert_int_equal(options.stacks_formats[0], NT_STACKS_AS_SPEEDSCOPE);
	assert_string_equal(options.output_path, "out.json");
	assert_int_equal(options.perf_hz, 49);
	assert_true(options.readonly);
	options = parse_good("stacks 4711 --format pprof");
	assert_string_equal(options.target, "4711");
	assert_null(options.output_path);
	assert_int_equal(options.stacks_formats[0], NT_STACKS_AS_PPROF);
	assert_int_equal(parse_good("stacks -p 1").stacks_formats[0], NT_STACKS_AS_FOLDED);
	assert_int_equal(options.during, NT_SIDE_NOT_TOLD);
	assert_int_equal(parse_good("stacks -p 1 --during gc-pauses").during, NT_IN_PAUSES);
	assert_int_equal(parse_good("stacks -p 1 --during outside").during, NT_OUTSIDE_PAUSES);
	assert_int_equal(parse("stacks -p 1 --during pauses", &options, &err), NT_ERR_USAGE);
	assert_non_null(strstr(err.cause[0], "'pauses' is not known; use gc-pauses or outside"));
	static const char *const bad[] = { "-p 1 --during outside", "stacks -p 1 -n 2",     "stacks -p 1 --json",
					   "stacks -p 1 2",         "stacks -p 1 -f shell", "env -f pprof" };
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(parse(bad[i], &options, &err), NT_ERR_USAGE);
	assert_int_equal(parse("stacks -p 1 -f svg", &options, &err), NT_ERR_USAGE);
	assert_non_null(strstr(err.cause[0], "'svg' is not known; use folded, flamegraph"));
}

static void test_map(void **state)
{
	(void)state;
	struct nt_error err = { 0 };
	struct nt_options options = parse_good("map -p shop -o /tmp/perf.map --readonly");
	assert_int_equal(options.command, NT_COMMAND_MAP);
	assert_string_equal(options.target, "shop");
	assert_string_equal(options.output_path, "/tmp/perf.map");
	assert_true(options.readonly);
	assert_null(parse_good("map 4711").output_path);
	static const char *const bad[] = { "map -p 1 -d 2", "map -p 1 -f folded", "map -p 1 --json", "-p 1 -o x" };
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(parse(bad[i], &options, &err), NT_ERR_USAGE);
}

static void test_symbols(void **state)
{
	(void)state;
	struct nt_error err = { 0 };
	struct nt_options options = parse_good("symbols -p shop -o /tmp/symbols --server http://localhost:8002 --json");
	assert_int_equal(options.command, NT_COMMAND_SYMBOLS);
	assert_string_equal(options.target, "shop");
	assert_string_equal(options.output_path, "/tmp/symbols");
	assert_string_equal(options.server, "http://localhost:8002");
	assert_int_equal(options.output, NT_OUTPUT_JSON);
	assert_null(parse_good("symbols 4711").server);
	static const char *const bad[] = { "symbols -p 1 -d 2", "symbols -p 1 -f folded", "map -p 1 --server http://x", "symbols 1 2" };
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(parse(bad[i], &options, &err), NT_ERR_USAGE);
}

static void test_help(void **state)
{
	(void)state;
	struct nt_error err = { 0 };
	struct nt_options options;
	assert_true(parse_good("help").show_help);
	assert_int_equal(parse_good("help").command, NT_COMMAND_WATCH);
	options = parse_good("help jit");
	assert_true(options.show_help && options.command == NT_COMMAND_JIT);
	assert_int_equal(parse("help jot", &options, &err), NT_ERR_USAGE);
	assert_non_null(strstr(err.cause[0], "'jot' is no command"));
	assert_int_equal(parse("help jit ps", &options, &err), NT_ERR_USAGE);
	assert_string_equal(parse_good("-p help").target, "help");
}

static void test_report(void **state)
{
	(void)state;
	struct nt_error err = { 0 };
	struct nt_options options = parse_good("report -p shop");
	assert_int_equal(options.command, NT_COMMAND_REPORT);
	assert_int_equal(options.duration_ns, 30 * NT_NS_PER_S);
	assert_int_equal(options.rows, 10);
	options = parse_good("report shop -d 5 -f markdown -o x.md --rows 3 --readonly");
	assert_int_equal(options.output, NT_OUTPUT_MARKDOWN);
	assert_int_equal(options.duration_ns, 5 * NT_NS_PER_S);
	assert_int_equal(options.delay_ns, NT_NS_PER_S);
	assert_int_equal(options.rows, 3);
	assert_string_equal(options.output_path, "x.md");
	assert_int_equal(parse_good("report -f json 1").output, NT_OUTPUT_JSON);
	assert_int_equal(parse_good("report --json 1").output, NT_OUTPUT_JSON);
	assert_int_equal(parse_good("report -f text 1").output, NT_OUTPUT_TEXT);
	assert_int_equal(parse_good("report -f html 1").output, NT_OUTPUT_HTML);
	static const char *const bad[] = { "report -f pdf 1",   "report -f folded 1", "report -d 0 1",
					   "report --rows x 1", "report 1 2",         "report --batch 1" };
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(parse(bad[i], &options, &err), NT_ERR_USAGE);
	assert_int_equal(parse("report -f pdf 1", &options, &err), NT_ERR_USAGE);
	assert_string_equal(err.cause[0], "--format 'pdf' is not known; use text, markdown, html or json");
}

/* Nobody would be told that the first is not watched. */
static void test_one_process(void **state)
{
	(void)state;
	struct nt_error err = { 0 };
	struct nt_options options;
	static const char *const bad[] = { "-p 1 -p 2", "-p shop --pid=shop", "jit -p 1 -p 2", "doctor -p 1 -p 2", "-p 1 2" };
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(parse(bad[i], &options, &err), NT_ERR_USAGE);
	assert_int_equal(parse("-p 1 -p 2", &options, &err), NT_ERR_USAGE);
	assert_non_null(strstr(err.cause[0], "several processes are one list: -p 1,2"));
	assert_int_equal(parse("jit -p 1 -p 2", &options, &err), NT_ERR_USAGE);
	assert_non_null(strstr(err.cause[0], "one process at a time: -p 1 or -p 2"));
}

static void test_several_processes(void **state)
{
	(void)state;
	struct nt_error err = { 0 };
	struct nt_options options;
	assert_int_equal(parse("-p 1,2,shop --all --cgroup /shop.slice --follow-children", &options, &err), NT_OK);
	assert_string_equal(options.target, "1,2,shop");
	assert_string_equal(options.cgroup, "/shop.slice");
	assert_true(options.all && options.follow_children);
	assert_int_equal(parse("jit --all -p 1", &options, &err), NT_ERR_USAGE);
}

static void test_help_names_every_option(void **state)
{
	(void)state;
	static const char *const wanted[] = { "-p, --pid PID|NAME",
					      "-d, --delay SEC",
					      "-b, --batch",
					      "--json",
					      "-n, --count N",
					      "--duration SEC",
					      "--source NAME[,NAME]",
					      "-h, --help",
					      "Exit status:",
					      "nettop doctor [-p PID|NAME] [--readonly] [--json]",
					      "nettop jit [options]",
					      "nettop threads -p PID|NAME | --core|--replay FILE [--native] [--json]",
					      "nettop report -p PID|NAME | --replay FILE [-d SEC] [-f FORMAT] [-o FILE]",
					      "nettop ps [--json|--plain]",
					      "nettop env [-p PID|NAME] [options]" };
	char *text = NULL;
	size_t length = 0;
	FILE *file = open_memstream(&text, &length);
	assert_non_null(file);
	nt_options_help(NT_COMMAND_WATCH, file);
	fclose(file);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		if (!strstr(text, wanted[i]))
			fail_msg("the help does not say '%s':\n%s", wanted[i], text);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (strlen(line) > 132)
			fail_msg("a line of the help is too long to read: %s", line);
	free(text);
}

static void orders_of_tables(void **state)
{
	(void)state;
	struct nt_options options = parse_good("-p 1");
	assert_null(options.sorts[0]);
	options = parse_good("-p 1 --sort total_pct --sort gc.pause_ns --sort self_pct");
	assert_ptr_equal(options.sorts[0], nt_table_column(&nt_table_methods, "self_pct"));
	assert_ptr_equal(options.sorts[1], nt_table_column(&nt_table_gc, "pause_ns"));
	assert_null(options.sorts[2]);
	struct nt_error err = { 0 };
	assert_int_equal(parse("-p 1 --sort waits.size", &options, &err), NT_ERR_USAGE);
	assert_true(strstr(err.cause[0], "--sort 'waits.size': waits has no such column; it has "));
	err = (struct nt_error){ 0 };
	assert_int_equal(parse("-p 1 --sort nothing.x", &options, &err), NT_ERR_USAGE);
	assert_true(strstr(err.cause[0], "--sort 'nothing.x': there is no such table; there are methods calls "));
}

/* Nothing else is asked for, unless somebody says of what. */
static void counters_alone(void **state)
{
	(void)state;
	const unsigned sources = 1u << NT_SOURCE_PROCFS | 1u << NT_SOURCE_APP | 1u << NT_SOURCE_EVENTPIPE;
	struct nt_options options = parse_good("-p 1 -f counters-csv -b");
	assert_int_equal(options.output, NT_OUTPUT_COUNTERS_CSV);
	assert_string_equal(options.counters, "");
	assert_int_equal(options.source_mask, sources);
	options = parse_good("run -b --format counters-json --counters Shop App");
	assert_int_equal(options.output, NT_OUTPUT_COUNTERS_JSON);
	assert_string_equal(options.counters, "Shop");
	options = parse_good("-p 1 -f counters-json --on gc.pause>200ms=exit");
	assert_int_equal(options.source_mask, ~0u);
	assert_null(parse_good("-p 1 -f text").counters);
	assert_int_equal(parse_good("-p 1 -b -f json").output, NT_OUTPUT_JSON);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_alone),
		cmocka_unit_test(orders_of_tables),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_every_option),
		cmocka_unit_test(test_call_graph),
		cmocka_unit_test(test_target_without_p),
		cmocka_unit_test(test_limits_are_in),
		cmocka_unit_test(test_json_and_batch_in_any_order),
		cmocka_unit_test(test_sources),
		cmocka_unit_test(test_help_and_version_need_no_target),
		cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_ps),
		cmocka_unit_test(test_help),
		cmocka_unit_test(test_one_process),
		cmocka_unit_test(test_several_processes),
		cmocka_unit_test(test_jit),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_doctor),
		cmocka_unit_test(test_env),
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_help_names_every_option),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
