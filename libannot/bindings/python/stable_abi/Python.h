/* SPDX-License-Identifier: MIT */
/*
 * Of Python's stable ABI (PEP 384, from 3.10 on), what annot_python.c uses. With it, make needs no Python, and what it
 * makes works with each Python from 3.10 on that has the stable ABI. Python's own header may take its place: tests
 * compile with both, and compare.
 */
#ifndef ANNOT_STABLE_ABI_PYTHON_H
#define ANNOT_STABLE_ABI_PYTHON_H

#include <stddef.h>
#include <sys/types.h>

typedef ssize_t Py_ssize_t;
typedef struct _typeobject PyTypeObject;
typedef struct PyCodeObject PyCodeObject;
typedef struct _frame PyFrameObject;

typedef struct _object {
	Py_ssize_t ob_refcnt;
	PyTypeObject *ob_type;
} PyObject;

typedef PyObject *(*PyCFunction)(PyObject *, PyObject *);

typedef struct PyMethodDef {
	const char *ml_name;
	PyCFunction ml_meth;
	int ml_flags;
	const char *ml_doc;
} PyMethodDef;

typedef struct PyModuleDef_Base {
	PyObject ob_base;
	PyObject *(*m_init)(void);
	Py_ssize_t m_index;
	PyObject *m_copy;
} PyModuleDef_Base;

typedef struct PyModuleDef {
	PyModuleDef_Base m_base;
	const char *m_name;
	const char *m_doc;
	Py_ssize_t m_size;
	PyMethodDef *m_methods;
	void *m_slots, *m_traverse, *m_clear, *m_free;
} PyModuleDef;

typedef struct {
	int slot;
	void *pfunc;
} PyType_Slot;

typedef struct {
	const char *name;
	int basicsize;
	int itemsize;
	unsigned int flags;
	PyType_Slot *slots;
} PyType_Spec;

#define PyObject_HEAD PyObject ob_base;
#define PyModuleDef_HEAD_INIT              \
	{                                  \
		{ 1, NULL }, NULL, 0, NULL \
	}
#define PYTHON_API_VERSION 1013
#define METH_NOARGS 0x0004
#define METH_O 0x0008
#define METH_FASTCALL 0x0080
#define Py_TPFLAGS_DEFAULT 0UL
#define Py_TPFLAGS_DISALLOW_INSTANTIATION (1UL << 7)
#define Py_tp_dealloc 52
#define Py_tp_doc 56
#define Py_tp_methods 64

extern PyObject _Py_NoneStruct;
extern PyObject *PyExc_TypeError;
extern PyObject *PyExc_UnicodeEncodeError;
#define Py_None (&_Py_NoneStruct)

void Py_IncRef(PyObject *object);
void Py_DecRef(PyObject *object);
#define Py_INCREF(object) Py_IncRef((PyObject *)(object))
#define Py_DECREF(object) Py_DecRef((PyObject *)(object))
#define Py_XDECREF(object) Py_DecRef((PyObject *)(object))
PyObject *Py_NewRef(PyObject *object);

PyObject *PyModule_Create2(PyModuleDef *def, int version);
#define PyModule_Create(def) PyModule_Create2(def, PYTHON_API_VERSION)
PyObject *PyType_FromSpec(PyType_Spec *spec);
PyObject *_PyObject_New(PyTypeObject *type);
#define PyObject_New(type, type_object) ((type *)_PyObject_New(type_object))
void PyObject_Free(void *memory);
PyObject *PyObject_CallFunctionObjArgs(PyObject *callable, ...);

PyObject *PyDict_New(void);
PyObject *PyDict_GetItemWithError(PyObject *dict, PyObject *key);
int PyDict_SetItem(PyObject *dict, PyObject *key, PyObject *value);
Py_ssize_t PyDict_Size(PyObject *dict);
void PyDict_Clear(PyObject *dict);

PyObject *PyBool_FromLong(long value);
PyObject *PyLong_FromVoidPtr(void *pointer);
unsigned long long PyLong_AsUnsignedLongLongMask(PyObject *number);
PyObject *PyUnicode_FromString(const char *text);
const char *PyUnicode_AsUTF8AndSize(PyObject *text, Py_ssize_t *nr_bytes);
int PyUnicode_CompareWithASCIIString(PyObject *text, const char *ascii);
PyCodeObject *PyFrame_GetCode(PyFrameObject *frame);

PyObject *PyErr_Occurred(void);
int PyErr_ExceptionMatches(PyObject *exception);
void PyErr_Clear(void);
void PyErr_SetString(PyObject *exception, const char *text);
PyObject *PyErr_Format(PyObject *exception, const char *format, ...);

#define PyMODINIT_FUNC __attribute__((visibility("default"))) PyObject *

#endif /* ANNOT_STABLE_ABI_PYTHON_H */
