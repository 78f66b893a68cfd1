/* The timing loop of every peer: the best mean time of a call over blocks of about a tenth of a millisecond.
   Short blocks find the moments in which nothing else ran; a mean over a block hides what the clock costs. */
#ifndef JOURDAIN_FASTEST_H
#define JOURDAIN_FASTEST_H
#include <time.h>

typedef void (*work_function)(void *);

static double clock_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static double block_ns(work_function work, void *context, long calls) {
  const double start = clock_ns();
  for (long i = 0; i < calls; i++) work(context);
  return clock_ns() - start;
}

/* Nanoseconds a call. The first, growing blocks warm the caches and find the block's size. */
static double fastest_ns(work_function work, void *context, double seconds) {
  long calls = 1;
  while (block_ns(work, context, calls) < 1e5) calls *= 2;
  double best = 1e300;
  const double end = clock_ns() + 1e9 * seconds;
  for (int blocks = 0; blocks < 5 || clock_ns() < end; blocks++) {
    const double mean = block_ns(work, context, calls) / (double)calls;
    if (mean < best) best = mean;
  }
  return best;
}
#endif
