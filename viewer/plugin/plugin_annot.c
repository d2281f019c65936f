// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin of libtraceevent, for trace-cmd report, KernelShark and other programs that read traces with
 * that library: they print annotations as annot events does.
 */
#include <stdlib.h>

#include <event-parse.h>

#include "trace/print/annot_handlers.h"
#include "util/xalloc.h"

#define EXPORTED __attribute__((visibility("default")))

/* A program may have several traces open. */
struct plugin {
	struct plugin *next;
	struct tep_handle *tep;
	struct annot_handlers *handlers;
};

static struct plugin *plugins;

EXPORTED int TEP_PLUGIN_LOADER(struct tep_handle *tep);
EXPORTED void TEP_PLUGIN_UNLOADER(struct tep_handle *tep);

int TEP_PLUGIN_LOADER(struct tep_handle *tep)
{
	struct plugin *plugin = xcalloc(1, sizeof(*plugin));

	plugin->tep = tep;
	plugin->handlers = annot_handlers_register(tep);
	plugin->next = plugins;
	plugins = plugin;
	return 0;
}

void TEP_PLUGIN_UNLOADER(struct tep_handle *tep)
{
	struct plugin **at = &plugins, *plugin;

	while (*at && (*at)->tep != tep)
		at = &(*at)->next;
	plugin = *at;
	if (!plugin)
		return;
	*at = plugin->next;
	annot_handlers_unregister(plugin->handlers);
	free(plugin);
}
