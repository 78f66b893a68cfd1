/* Answers and times of one function of a shared library that CasADi generated (its plain C interface). */
#include "fastest.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef int (*generated)(const double **, double **, long long *, double *, int);
typedef int (*sizes)(long long *, long long *, long long *, long long *);

struct call {
  generated function;
  const double **in;
  double **out;
  long long *integers;
  double *reals;
};

static void once(void *context) {
  const struct call *c = context;
  c->function(c->in, c->out, c->integers, c->reals, 0);
}

/* Nanoseconds a call, or 0 where `seconds` is 0; `result` holds the answer. Negative: the function was not found. */
double casadi_loop(const char *library, const char *name, const double **arguments, int count, double *result,
                   double seconds) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return -1;
  char work_name[128];
  snprintf(work_name, sizeof work_name, "%s_work", name);
  generated function = (generated)dlsym(handle, name);
  sizes work = (sizes)dlsym(handle, work_name);
  if (!function || !work) return -1;
  long long n_in = 0, n_out = 0, n_integers = 0, n_reals = 0;
  work(&n_in, &n_out, &n_integers, &n_reals);
  struct call c = {function, calloc((size_t)(n_in + count), sizeof(double *)),
                   calloc((size_t)(n_out + 1), sizeof(double *)), calloc((size_t)n_integers + 1, sizeof(long long)),
                   calloc((size_t)n_reals + 1, sizeof(double))};
  for (int i = 0; i < count; i++) c.in[i] = arguments[i];
  c.out[0] = result;
  once(&c);
  const double ns = seconds > 0 ? fastest_ns(once, &c, seconds) : 0;
  free((void *)c.in), free(c.out), free(c.integers), free(c.reals);
  dlclose(handle);
  return ns;
}
