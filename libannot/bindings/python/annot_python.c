// SPDX-License-Identifier: MIT
/*
 * The module annot._annot of Python: the inline code of annot/annot.h behind functions of Python. The package's
 * __init__.py says what they are for.
 *
 * A name has one place (struct annot_site) in the process, in the object of its spans. It is found by a dictionary,
 * whose keys are strings that know their hash. Python's global lock protects all of this; without it (3.13t), this
 * module is not loaded.
 */
#include <Python.h>
#include <stdint.h>

#include <annot/annot.h>

/* Of names that a program makes up without end, those beyond are looked up by the library each time. */
#define NR_KEPT_NAMES 4096

/*
 * What with annot.span("x", 5) enters. Without a value, there is one for each name and kind; with one, it refers to
 * that. It has no state: the library knows which spans are open.
 */
struct span {
	PyObject_HEAD struct annot_site site;
	struct annot_site *site_of_name;
	PyObject *keeps; /* alive: the text, and if need be what site_of_name is in */
	const char *text;
	unsigned int op;
	int64_t value;
};

static PyTypeObject *span_type;

/* {name: span}, of each kind */
static PyObject *work_spans, *wait_spans;

/* {address of a code object: its span, or None}, and {address: code object}, so that it stays there. */
static PyObject *code_spans, *code_objects;

/* Asked for the name of a code object: a string, or None if it is to be left out. */
static PyObject *code_namer;

/* What callbacks of sys.monitoring return to be called no more from this place. */
static PyObject *disable;

static int functions_are_wanted;

/* Functions in which this thread is, and whose span was begun. */
static _Thread_local long nr_functions;

static void span_dealloc(PyObject *self)
{
	struct span *span = (struct span *)self;

	Py_XDECREF(span->keeps);
	PyObject_Free(self);
	Py_DECREF(span_type);
}

static struct span *span_new(unsigned int op, PyObject *keeps, const char *text)
{
	struct span *span = PyObject_New(struct span, span_type);

	if (!span)
		return NULL;
	Py_INCREF(keeps);
	span->keeps = keeps;
	span->site = (struct annot_site){ 0 };
	span->site_of_name = &span->site;
	span->text = text;
	span->op = op;
	span->value = 0;
	return span;
}

/* The text of a name, as long as @name lives. Any text does; a surrogate has no UTF-8. */
static const char *name_text(PyObject *name)
{
	Py_ssize_t nr_bytes;
	const char *text = PyUnicode_AsUTF8AndSize(name, &nr_bytes);

	if (text)
		return text;
	if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
		PyErr_Clear();
		return "?";
	}
	PyErr_Clear();
	PyErr_SetString(PyExc_TypeError, "annot: a name is a str");
	return NULL;
}

/* A new reference; NULL with an exception. */
static struct span *span_make(PyObject *spans, unsigned int op, PyObject *name)
{
	const char *text = name_text(name);
	struct span *span;

	if (!text)
		return NULL;
	span = span_new(op, name, text);
	if (!span)
		return NULL;
	if (PyDict_Size(spans) >= NR_KEPT_NAMES)
		span->site_of_name = NULL;
	else if (PyDict_SetItem(spans, name, (PyObject *)span)) {
		Py_DECREF(span);
		return NULL;
	}
	return span;
}

/* The span of a name without a value: a new reference. */
static struct span *span_of_name(PyObject *spans, unsigned int op, PyObject *name)
{
	PyObject *found = PyDict_GetItemWithError(spans, name);

	if (found)
		return (struct span *)Py_NewRef(found);
	PyErr_Clear(); /* what cannot be hashed is no str either */
	return span_make(spans, op, name);
}

static int has_arguments(const char *function, Py_ssize_t nr_args, Py_ssize_t least)
{
	if (nr_args >= least && nr_args <= 2)
		return 1;
	PyErr_Format(PyExc_TypeError, "annot.%s: a name%s", function,
		     least == 2 ? " and a value" : ", and a value if any");
	return 0;
}

/* The lowest 64 bits of any integer. */
static int value_of(PyObject *number, int64_t *value)
{
	*value = (int64_t)PyLong_AsUnsignedLongLongMask(number);
	return *value != -1 || !PyErr_Occurred();
}

static PyObject *make_span(const char *function, PyObject *spans, unsigned int op,
			   PyObject *const *args, Py_ssize_t nr_args)
{
	struct span *of_name, *span;
	int64_t value;

	if (!has_arguments(function, nr_args, 1))
		return NULL;
	if (nr_args == 1 || args[1] == Py_None)
		return (PyObject *)span_of_name(spans, op, args[0]);
	if (!value_of(args[1], &value))
		return NULL;
	of_name = span_of_name(spans, op, args[0]);
	if (!of_name)
		return NULL;
	span = span_new(op | ANNOT_OP_HAS_VALUE, (PyObject *)of_name, of_name->text);
	if (span) {
		span->site_of_name = of_name->site_of_name;
		span->value = value;
	}
	Py_DECREF(of_name);
	return (PyObject *)span;
}

static PyObject *annot_py_span(PyObject *self, PyObject *const *args, Py_ssize_t nr_args)
{
	(void)self;
	return make_span("span", work_spans, ANNOT_OP_BEGIN, args, nr_args);
}

static PyObject *annot_py_wait(PyObject *self, PyObject *const *args, Py_ssize_t nr_args)
{
	(void)self;
	return make_span("wait", wait_spans, ANNOT_OP_WAIT_BEGIN, args, nr_args);
}

static void span_begin(struct span *span)
{
	annot_put(span->site_of_name, span->op, span->text, span->value);
}

static PyObject *span_enter(PyObject *self, PyObject *unused)
{
	(void)unused;
	span_begin((struct span *)self);
	return Py_NewRef(self);
}

static PyObject *span_exit(PyObject *self, PyObject *const *args, Py_ssize_t nr_args)
{
	(void)self;
	(void)args;
	(void)nr_args;
	annot_end();
	return Py_NewRef(Py_None);
}

/* A mark or a counter: at once. */
static PyObject *put_named(const char *function, unsigned int op, Py_ssize_t least,
			   PyObject *const *args, Py_ssize_t nr_args)
{
	int64_t value = 0;
	struct span *span;

	if (!has_arguments(function, nr_args, least))
		return NULL;
	if (nr_args == 2 && (least == 2 || args[1] != Py_None)) {
		if (!value_of(args[1], &value))
			return NULL;
		op |= ANNOT_OP_HAS_VALUE;
	}
	span = span_of_name(work_spans, ANNOT_OP_BEGIN, args[0]);
	if (!span)
		return NULL;
	annot_put(span->site_of_name, op, span->text, value);
	Py_DECREF(span);
	return Py_NewRef(Py_None);
}

static PyObject *annot_py_mark(PyObject *self, PyObject *const *args, Py_ssize_t nr_args)
{
	(void)self;
	return put_named("mark", ANNOT_OP_MARK, 1, args, nr_args);
}

static PyObject *annot_py_counter(PyObject *self, PyObject *const *args, Py_ssize_t nr_args)
{
	(void)self;
	return put_named("counter", ANNOT_OP_COUNTER, 2, args, nr_args);
}

static PyObject *annot_py_thread_name(PyObject *self, PyObject *name)
{
	const char *text = name_text(name);

	(void)self;
	if (!text)
		return NULL;
	annot_thread_name(text);
	return Py_NewRef(Py_None);
}

static PyObject *annot_py_enabled(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	return PyBool_FromLong(annot_enabled());
}

static PyObject *annot_py_status(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	return PyUnicode_FromString(annot_status());
}

static PyObject *annot_py_flush(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	annot_flush();
	return Py_NewRef(Py_None);
}

/* Asks for the name of @code, whose frame is the innermost one: a new reference to its span, or to None. */
static PyObject *code_span_make(PyObject *code, PyObject *address)
{
	PyObject *name = PyObject_CallFunctionObjArgs(code_namer, code, NULL);
	PyObject *span;

	/* For example at the limit of recursion: the program is not to see that. */
	if (!name) {
		PyErr_Clear();
		name = Py_NewRef(Py_None);
	}
	span = name == Py_None ? Py_NewRef(name) :
				 (PyObject *)span_of_name(work_spans, ANNOT_OP_BEGIN, name);
	Py_DECREF(name);
	if (span && (PyDict_SetItem(code_spans, address, span) ||
		     PyDict_SetItem(code_objects, address, code))) {
		Py_DECREF(span);
		return NULL;
	}
	return span;
}

/* A new reference to the span of @code, or to None if it is left out; NULL with an exception. */
static PyObject *code_span(PyObject *code)
{
	PyObject *address = PyLong_FromVoidPtr(code);
	PyObject *span;

	if (!address)
		return NULL;
	span = PyDict_GetItemWithError(code_spans, address);
	if (span)
		Py_INCREF(span);
	else if (!PyErr_Occurred())
		span = code_span_make(code, address);
	Py_DECREF(address);
	return span;
}

/* 1, 0 if @code is left out, -1 with an exception. */
static int function_begins(PyObject *code)
{
	PyObject *span;
	int is_shown;

	if (!functions_are_wanted)
		return 1;
	span = code_span(code);
	if (!span)
		return -1;
	is_shown = span != Py_None;
	if (is_shown) {
		nr_functions++;
		span_begin((struct span *)span);
	}
	Py_DECREF(span);
	return is_shown;
}

/* As above. Functions that were called before functions() return, too. */
static int function_ends(PyObject *code)
{
	PyObject *span;
	int is_shown;

	if (nr_functions == 0)
		return 1;
	span = code_span(code);
	if (!span)
		return -1;
	is_shown = span != Py_None;
	if (is_shown) {
		nr_functions--;
		annot_end();
	}
	Py_DECREF(span);
	return is_shown;
}

static PyObject *none_unless(int failed)
{
	return failed ? NULL : Py_NewRef(Py_None);
}

/* For sys.setprofile(): (frame, event, argument) */
static PyObject *annot_py_profile(PyObject *self, PyObject *const *args, Py_ssize_t nr_args)
{
	int begins, result;
	PyObject *code;

	(void)self;
	if (nr_args != 3)
		return PyErr_Format(PyExc_TypeError, "annot: not an event of a profile");
	begins = !PyUnicode_CompareWithASCIIString(args[1], "call");
	if (!begins && PyUnicode_CompareWithASCIIString(args[1], "return"))
		return Py_NewRef(Py_None);
	code = (PyObject *)PyFrame_GetCode((PyFrameObject *)args[0]);
	result = begins ? function_begins(code) : function_ends(code);
	Py_DECREF(code);
	return none_unless(result < 0);
}

/* For sys.monitoring: (code, ...), of events that can be turned off for one place in a function. */
static PyObject *of_place(int is_shown)
{
	if (is_shown < 0)
		return NULL;
	return Py_NewRef(is_shown ? Py_None : disable);
}

static PyObject *annot_py_begins(PyObject *self, PyObject *const *args, Py_ssize_t nr_args)
{
	(void)self;
	return of_place(nr_args ? function_begins(args[0]) : 1);
}

static PyObject *annot_py_ends(PyObject *self, PyObject *const *args, Py_ssize_t nr_args)
{
	(void)self;
	return of_place(nr_args ? function_ends(args[0]) : 1);
}

/* And of those that cannot. */
static PyObject *annot_py_is_thrown(PyObject *self, PyObject *const *args, Py_ssize_t nr_args)
{
	(void)self;
	return none_unless(nr_args && function_begins(args[0]) < 0);
}

static PyObject *annot_py_unwinds(PyObject *self, PyObject *const *args, Py_ssize_t nr_args)
{
	(void)self;
	return none_unless(nr_args && function_ends(args[0]) < 0);
}

/* (namer, disable): functions are begun from here on, named anew. */
static PyObject *annot_py_start(PyObject *self, PyObject *const *args, Py_ssize_t nr_args)
{
	(void)self;
	if (nr_args != 2)
		return PyErr_Format(PyExc_TypeError, "annot: not what is started with");
	Py_INCREF(args[0]);
	Py_INCREF(args[1]);
	Py_XDECREF(code_namer);
	Py_XDECREF(disable);
	code_namer = args[0];
	disable = args[1];
	PyDict_Clear(code_spans);
	PyDict_Clear(code_objects);
	functions_are_wanted = 1;
	return Py_NewRef(Py_None);
}

/* From here on they are not; those in which this thread is end. */
static PyObject *annot_py_stop(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	functions_are_wanted = 0;
	for (; nr_functions > 0; nr_functions--)
		annot_end();
	return Py_NewRef(Py_None);
}

/* What takes its arguments as an array has another type. */
#define FAST(function) ((PyCFunction)(void (*)(void))(function))

static PyMethodDef span_methods[] = {
	{ "__enter__", span_enter, METH_NOARGS, NULL },
	{ "__exit__", FAST(span_exit), METH_FASTCALL, NULL },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot span_slots[] = {
	{ Py_tp_dealloc, (void *)span_dealloc },
	{ Py_tp_methods, span_methods },
	{ Py_tp_doc, (void *)"A span, to be used in a with statement." },
	{ 0, NULL },
};

static PyType_Spec span_spec = {
	.name = "annot.Span",
	.basicsize = sizeof(struct span),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	.slots = span_slots,
};

static PyMethodDef module_methods[] = {
	{ "span", FAST(annot_py_span), METH_FASTCALL,
	  "span(name[, value])\n\nA span of work, for a with statement." },
	{ "wait", FAST(annot_py_wait), METH_FASTCALL,
	  "wait(name[, value])\n\nA span of waiting, for a with statement." },
	{ "mark", FAST(annot_py_mark), METH_FASTCALL,
	  "mark(name[, value])\n\nAn instant in the calling thread." },
	{ "counter", FAST(annot_py_counter), METH_FASTCALL,
	  "counter(name, value)\n\nSets a counter from now on." },
	{ "thread_name", annot_py_thread_name, METH_O,
	  "thread_name(name)\n\nNames the calling thread: 15 bytes." },
	{ "enabled", annot_py_enabled, METH_NOARGS,
	  "enabled()\n\nWhether annotations are being recorded now." },
	{ "status", annot_py_status, METH_NOARGS,
	  "status()\n\nOne line that says where annotations go, and why." },
	{ "flush", annot_py_flush, METH_NOARGS,
	  "flush()\n\nWrites what the threads have annotated so far into the trace." },
	{ "_profile", FAST(annot_py_profile), METH_FASTCALL, NULL },
	{ "_begins", FAST(annot_py_begins), METH_FASTCALL, NULL },
	{ "_ends", FAST(annot_py_ends), METH_FASTCALL, NULL },
	{ "_is_thrown", FAST(annot_py_is_thrown), METH_FASTCALL, NULL },
	{ "_unwinds", FAST(annot_py_unwinds), METH_FASTCALL, NULL },
	{ "_start", FAST(annot_py_start), METH_FASTCALL, NULL },
	{ "_stop", annot_py_stop, METH_NOARGS, NULL },
	{ NULL, NULL, 0, NULL },
};

static PyModuleDef module = {
	.m_base = PyModuleDef_HEAD_INIT,
	.m_name = "_annot",
	.m_size = -1,
	.m_methods = module_methods,
};

PyMODINIT_FUNC PyInit__annot(void);

PyMODINIT_FUNC PyInit__annot(void)
{
	span_type = (PyTypeObject *)PyType_FromSpec(&span_spec);
	work_spans = PyDict_New();
	wait_spans = PyDict_New();
	code_spans = PyDict_New();
	code_objects = PyDict_New();
	if (!span_type || !work_spans || !wait_spans || !code_spans || !code_objects)
		return NULL;
	return PyModule_Create(&module);
}
