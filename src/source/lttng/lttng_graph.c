// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_graph.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>

struct nt_lttng_viewer *nt_lttng_graph_new(const struct nt_lttng_viewer_sink *sink, const char *broken)
{
	struct nt_lttng_viewer *viewer = nt_alloc(sizeof(*viewer));
	*viewer = (struct nt_lttng_viewer){ .sink = *sink, .broken = broken, .graph = nt_bt.graph_create(0) };
	nt_assert(viewer->graph);
	return viewer;
}

enum nt_status nt_lttng_graph_error(struct nt_error *err, const char *what)
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

const bt_plugin *nt_lttng_graph_plugin(const char *name, struct nt_error *err)
{
	const bt_plugin *plugin = NULL;
	char text[NT_ERROR_TEXT];
	if (nt_babeltrace_load(err) != NT_OK)
		return NULL;
	if (nt_bt.plugin_find(name, BT_FALSE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &plugin) == BT_PLUGIN_FIND_STATUS_OK)
		return plugin;
	snprintf(text, sizeof(text), "babeltrace2 has no plug-in %s; apt-get install --reinstall libbabeltrace2-0", name);
	nt_lttng_graph_error(err, text);
	return NULL;
}

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

enum nt_status nt_lttng_graph_end_in_sink(struct nt_lttng_viewer *viewer, const bt_port_output *from, struct nt_error *err)
{
	const bt_component_sink *sink = NULL;
	if (nt_bt.graph_add_simple_sink_component(viewer->graph, "events", NULL, consume, NULL, viewer, &sink) !=
	    BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		return nt_lttng_graph_error(err, "cannot make a sink for the trace");
	if (nt_bt.graph_connect_ports(viewer->graph, from, nt_bt.component_sink_borrow_input_port_by_index_const(sink, 0), NULL) !=
	    BT_GRAPH_CONNECT_PORTS_STATUS_OK)
		return nt_lttng_graph_error(err, "cannot connect the reader of the trace");
	return NT_OK;
}

bt_value *nt_lttng_graph_input(const char *input)
{
	bt_value *params = nt_bt.value_map_create(), *inputs = NULL;
	nt_assert(params);
	nt_assert(nt_bt.value_map_insert_empty_array_entry(params, "inputs", &inputs) == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK);
	nt_assert(nt_bt.value_array_append_string_element(inputs, input) == BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK);
	return params;
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
		return nt_lttng_graph_error(err, viewer->broken);
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
