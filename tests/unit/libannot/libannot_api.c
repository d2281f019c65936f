/* SPDX-License-Identifier: GPL-2.0 */
/* All that annot/annot.h offers; compiled as C and as C++, and with ANNOT_DISABLE. */
#include <annot/annot.h>

#include <stdio.h>
#include <string.h>

static int nr_evaluated;

static const char *evaluated(void)
{
	nr_evaluated++;
	return "evaluated";
}

static const void *pointer_to(uintptr_t address)
{
	const void *pointer;

	memcpy(&pointer, &address, sizeof(pointer));
	return pointer;
}

static int scopes(int leave)
{
	ANNOT_SCOPE("scope");
	ANNOT_WAIT_SCOPE("wait scope");
	if (leave) {
		ANNOT_SCOPE_VALUE("scope with value", INT64_MIN);
		return 1;
	}
	while (!leave) {
		ANNOT_SCOPE("left by break");
		break;
	}
	return 0;
}

#ifdef __cplusplus
static void throws()
{
	ANNOT_SCOPE("thrown out of");
	annot::wait_scope wait("wait", -1);
	throw 1;
}
#endif

int main(int argc, char **argv)
{
	(void)argv;
	annot_thread_name("api");
	annot_begin(evaluated());
	annot_begin_value("begin", 1);
	annot_wait_begin("wait");
	annot_wait_begin_value("wait", -1);
	annot_end();
	annot_end();
	annot_end();
	annot_next("next");
	annot_next_value(evaluated(), 2);
	(annot_begin)("function");
	annot_mark("mark");
	annot_mark_value("mark", INT64_MAX);
	annot_counter("counter", 0);
	annot_object("grid", pointer_to(4096), 64);
	annot_object(0, pointer_to(8192), 1);
	annot_object("nothing", 0, 1);
	annot_object("nothing", pointer_to(4096), 0);
	annot_object_end(pointer_to(4096));
	annot_object_end(0);
	annot_end();
	scopes(argc);
	scopes(0);
#ifdef __cplusplus
	try {
		throws();
	} catch (int) {
	}
#endif
	printf("%d %d %s\n", nr_evaluated, annot_enabled(), annot_status());
	return !strlen(annot_status());
}
