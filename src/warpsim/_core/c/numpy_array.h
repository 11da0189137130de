/* The few things that the binding asks of NumPy arrays, as functions of PyObject. */
#ifndef WARPSIM_ARRAY_H
#define WARPSIM_ARRAY_H

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>

/* An ndarray of this type that C can take as it is: contiguous, aligned, native. */
static inline int ws_array_is_plain(PyObject *value, int type) {
    return PyArray_CheckExact(value) && PyArray_TYPE((PyArrayObject *)value) == type &&
           PyArray_ISCARRAY_RO((PyArrayObject *)value);
}

static inline int ws_array_is_writeable(PyObject *array) { return PyArray_ISWRITEABLE((PyArrayObject *)array); }
static inline int ws_array_rank(PyObject *array) { return PyArray_NDIM((PyArrayObject *)array); }
static inline Py_ssize_t *ws_array_shape(PyObject *array) { return PyArray_DIMS((PyArrayObject *)array); }
static inline char *ws_array_data(PyObject *array) { return (char *)PyArray_DATA((PyArrayObject *)array); }
static inline size_t ws_array_bytes(PyObject *array) { return (size_t)PyArray_NBYTES((PyArrayObject *)array); }
static inline PyObject *ws_array_new(int rank, Py_ssize_t *shape, int type) {
    return PyArray_EMPTY(rank, shape, type, 0);
}

/* The array at the end of a chain of views: the one whose storage it is, if an array's. A new reference. */
static inline PyObject *ws_array_owner(PyObject *array) {
    PyObject *base = PyArray_BASE((PyArrayObject *)array);
    while (base != NULL && PyArray_Check(base)) {
        array = base;
        base = PyArray_BASE((PyArrayObject *)array);
    }
    return Py_NewRef(array);
}

#endif
