/* mujoco_loop MODEL.xml STATES SECONDS: MuJoCo's answers for every state, then times for the first one.
   STATES: their number; of each the rows q, v, a and the applied forces, in MuJoCo's words. */
#include "fastest.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

static mjModel *model;
static mjData *data;

static void inverse(void *unused) { (void)unused, mj_inverse(model, data); }
static void forward(void *unused) { (void)unused, mj_forward(model, data); }
static void mass(void *unused) { (void)unused, mj_kinematics(model, data), mj_comPos(model, data), mj_crb(model, data); }

static void fill(FILE *file, mjtNum *numbers, int n) {
  for (int i = 0; i < n; i++)
    if (fscanf(file, "%lf", &numbers[i]) != 1) exit(3);
}

static void print(const char *name, const mjtNum *numbers, int n) {
  printf("%s", name);
  for (int i = 0; i < n; i++) printf(" %.17g", numbers[i]);
  printf("\n");
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  char message[500] = "";
  model = mj_loadXML(argv[1], NULL, message, sizeof message);
  if (!model) return fprintf(stderr, "%s\n", message), 1;
  data = mj_makeData(model);
  const int nq = (int)model->nq, nv = (int)model->nv;
  mjtNum *q = calloc((size_t)nq + 1, sizeof *q), *v = calloc((size_t)nv + 1, sizeof *v);
  mjtNum *a = calloc((size_t)nv + 1, sizeof *a), *tau = calloc((size_t)nv + 1, sizeof *tau);
  mjtNum *row = calloc((size_t)nv * (size_t)nv + 1, sizeof *row), *unit = calloc((size_t)nv + 1, sizeof *unit);
  FILE *file = fopen(argv[2], "r");
  int count = 0;
  if (!file || fscanf(file, "%d", &count) != 1) return 3;
  for (int k = 0; k < count; k++) { /* the first state comes last in the file, so that it stays in place for timing */
    fill(file, q, nq), fill(file, v, nv), fill(file, a, nv), fill(file, tau, nv);
    mju_copy(data->qpos, q, nq), mju_copy(data->qvel, v, nv), mju_copy(data->qacc, a, nv);
    mju_copy(data->qfrc_applied, tau, nv);
    mj_inverse(model, data);
    print("inverse_dynamics", data->qfrc_inverse, nv);
    mj_forward(model, data);
    print("forward_dynamics", data->qacc, nv);
    for (int i = 0; i < nv; i++) { /* the matrix, a column at a time, whatever way it is kept */
      mju_zero(unit, nv);
      unit[i] = 1;
      mj_mulM(model, data, row + (size_t)i * (size_t)nv, unit);
    }
    print("mass_matrix", row, nv * nv);
  }
  const double seconds = atof(argv[3]);
  printf("ns.forward_dynamics %.4f\n", fastest_ns(forward, NULL, seconds));
  mju_copy(data->qacc, a, nv);
  printf("ns.inverse_dynamics %.4f\n", fastest_ns(inverse, NULL, seconds));
  printf("ns.mass_matrix %.4f\n", fastest_ns(mass, NULL, seconds));
  return 0;
}
