// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_viewer.h"

#include "base/alloc.h"
#include "source/lttng/babeltrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct nt_lttng_viewer {
	struct nt_lttng_viewer_sink sink;
	bt_graph *graph; /* owned reference */
};

/* babeltrace2 keeps an error per thread; the lowest cause is the one that a person understands. Takes it, so that the next call starts clean. */
static enum nt_status take_error(struct nt_error *err, const char *what)
{
	const bt_error *error = nt_bt.current_thread_take_error();
	if (!error)
		return nt_error_set(err, NT_ERR_FAILED, "%s", what);
	const char *cause = "";
	if (nt_bt.error_get_cause_count(error))
		cause = nt_bt.error_cause_get_message(nt_bt.error_borrow_cause_by_index(error, 0));
	nt_error_set(err, NT_ERR_FAILED, "%s: %s", what, cause);
	nt_bt.error_release(error);
	return NT_ERR_FAILED;
}

/* The plug-in "ctf" of the system (not of a user's folder: nettop is often root). *plugin is a reference of the caller's. */
static enum nt_status find_live(const bt_plugin **plugin, const bt_component_class_source **class, struct nt_error *err)
{
	*plugin = NULL;
	enum nt_status status = nt_babeltrace_load(err);
	if (status != NT_OK)
		return status;
	if (nt_bt.plugin_find("ctf", BT_FALSE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, plugin) != BT_PLUGIN_FIND_STATUS_OK)
		return take_error(err, "babeltrace2 has no plug-in ctf; apt-get install --reinstall libbabeltrace2-0");
	*class = nt_bt.plugin_borrow_source_component_class_by_name_const(*plugin, "lttng-live");
	if (*class)
		return NT_OK;
	nt_bt.plugin_put_ref(*plugin);
	return nt_error_set(err, NT_ERR_ABSENT, "babeltrace2's plug-in ctf cannot read live sessions (no lttng-live)");
}

/* ---- which sessions the relay has ---- */

static bool has_type(const bt_value *value, bt_value_type type)
{
	return value && bt_value_type_is(nt_bt.value_get_type(value), type);
}

static bool copy_url(const bt_value *sessions, const char *name, char url[NT_LTTNG_URL_BYTES])
{
	for (uint64_t i = 0; has_type(sessions, BT_VALUE_TYPE_ARRAY) && i < nt_bt.value_array_get_length(sessions); i++) {
		const bt_value *session = nt_bt.value_array_borrow_element_by_index_const(sessions, i);
		if (!has_type(session, BT_VALUE_TYPE_MAP))
			continue;
		const bt_value *session_name = nt_bt.value_map_borrow_entry_value_const(session, "session-name");
		const bt_value *session_url = nt_bt.value_map_borrow_entry_value_const(session, "url");
		if (!has_type(session_name, BT_VALUE_TYPE_STRING) || !has_type(session_url, BT_VALUE_TYPE_STRING) ||
		    strcmp(nt_bt.value_string_get(session_name), name) != 0)
			continue;
		return snprintf(url, NT_LTTNG_URL_BYTES, "%s", nt_bt.value_string_get(session_url)) < NT_LTTNG_URL_BYTES;
	}
	return false;
}

static enum nt_status query(const bt_component_class_source *class, const char *relay_url, const char *name, char url[NT_LTTNG_URL_BYTES],
			    struct nt_error *err)
{
	bt_value *params = nt_bt.value_map_create();
	nt_assert(params && nt_bt.value_map_insert_string_entry(params, "url", relay_url) == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK);
	bt_query_executor *executor =
		nt_bt.query_executor_create(bt_component_class_source_as_component_class_const(class), "sessions", params);
	nt_bt.value_put_ref(params);
	nt_assert(executor);
	nt_bt.query_executor_set_logging_level(executor, BT_LOGGING_LEVEL_NONE);
	const bt_value *sessions = NULL;
	enum nt_status status = NT_AGAIN;
	if (nt_bt.query_executor_query(executor, &sessions) != BT_QUERY_EXECUTOR_QUERY_STATUS_OK)
		status = take_error(err, "the relay does not list its sessions");
	else if (copy_url(sessions, name, url))
		status = NT_OK;
	nt_bt.value_put_ref(sessions);
	nt_bt.query_executor_put_ref(executor);
	return status;
}

enum nt_status nt_lttng_viewer_find(uint16_t live_port, const char *session, char url[NT_LTTNG_URL_BYTES], struct nt_error *err)
{
	const bt_plugin *plugin;
	const bt_component_class_source *class;
	enum nt_status status = find_live(&plugin, &class, err);
	if (status != NT_OK)
		return status;
	char relay_url[48];
	snprintf(relay_url, sizeof(relay_url), "net://127.0.0.1:%u", live_port);
	status = query(class, relay_url, session, url, err);
	nt_bt.plugin_put_ref(plugin);
	return status;
}

/* ---- the graph ---- */

static bt_graph_simple_sink_component_consume_func_status consume(bt_message_iterator *iterator, void *context)
{
	const struct nt_lttng_viewer *viewer = context;
	if (!viewer->sink.has_room(viewer->sink.context))
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_AGAIN;
	bt_message_array_const messages;
	uint64_t count = 0;
	switch (nt_bt.message_iterator_next(iterator, &messages, &count)) {
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
		break;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_AGAIN;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_MEMORY_ERROR;
	default:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR;
	}
	for (uint64_t i = 0; i < count; i++) {
		viewer->sink.take(viewer->sink.context, messages[i]);
		nt_bt.message_put_ref(messages[i]);
	}
	return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

/* {"inputs": [url], "session-not-found-action": "end"}: the session is there when we come, so its end is the end. */
static bt_value *live_parameters(const char *url)
{
	bt_value *params = nt_bt.value_map_create(), *inputs = NULL;
	nt_assert(params);
	nt_assert(nt_bt.value_map_insert_empty_array_entry(params, "inputs", &inputs) == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK);
	nt_assert(nt_bt.value_array_append_string_element(inputs, url) == BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK);
	nt_assert(nt_bt.value_map_insert_string_entry(params, "session-not-found-action", "end") == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK);
	return params;
}

/* No muxer: the live source has one output, in order of time. */
static enum nt_status build(struct nt_lttng_viewer *viewer, const bt_component_class_source *class, const char *url, struct nt_error *err)
{
	const bt_component_source *source = NULL;
	const bt_component_sink *sink = NULL;
	viewer->graph = nt_bt.graph_create(0);
	nt_assert(viewer->graph);
	bt_value *params = live_parameters(url);
	/* Its log goes to the standard error, which is the screen. */
	bt_graph_add_component_status added =
		nt_bt.graph_add_source_component(viewer->graph, class, "live", params, BT_LOGGING_LEVEL_NONE, &source);
	nt_bt.value_put_ref(params);
	if (added != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		return take_error(err, "cannot make a reader for the live session");
	if (nt_bt.graph_add_simple_sink_component(viewer->graph, "events", NULL, consume, NULL, viewer, &sink) !=
	    BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		return take_error(err, "cannot make a sink for the live session");
	if (!nt_bt.component_source_get_output_port_count(source))
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "babeltrace2's live source has no output port");
	if (nt_bt.graph_connect_ports(viewer->graph, nt_bt.component_source_borrow_output_port_by_index_const(source, 0),
				      nt_bt.component_sink_borrow_input_port_by_index_const(sink, 0),
				      NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
		return take_error(err, "cannot connect the reader of the live session");
	return NT_OK;
}

enum nt_status nt_lttng_viewer_new(const char *url, const struct nt_lttng_viewer_sink *sink, struct nt_lttng_viewer **out,
				   struct nt_error *err)
{
	const bt_plugin *plugin;
	const bt_component_class_source *class;
	*out = NULL;
	enum nt_status status = find_live(&plugin, &class, err);
	if (status != NT_OK)
		return status;
	struct nt_lttng_viewer *viewer = nt_alloc(sizeof(*viewer));
	viewer->sink = *sink;
	status = build(viewer, class, url, err);
	nt_bt.plugin_put_ref(plugin);
	if (status == NT_OK)
		*out = viewer;
	else
		nt_lttng_viewer_free(viewer);
	return status;
}

enum nt_status nt_lttng_viewer_run(struct nt_lttng_viewer *viewer, struct nt_error *err)
{
	switch (nt_bt.graph_run_once(viewer->graph)) {
	case BT_GRAPH_RUN_ONCE_STATUS_OK:
		return NT_OK;
	case BT_GRAPH_RUN_ONCE_STATUS_AGAIN:
		return NT_AGAIN;
	case BT_GRAPH_RUN_ONCE_STATUS_END:
		return NT_END;
	default:
		return take_error(err, "the connection to the relay is lost");
	}
}

void nt_lttng_viewer_free(struct nt_lttng_viewer *viewer)
{
	if (!viewer)
		return;
	nt_bt.graph_put_ref(viewer->graph);
	/* Saying good-bye to a relay that is gone leaves an error behind. */
	const bt_error *error = nt_bt.current_thread_take_error();
	if (error)
		nt_bt.error_release(error);
	free(viewer);
}
