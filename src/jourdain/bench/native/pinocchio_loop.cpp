// pinocchio_loop MECHANISM SECONDS: Pinocchio's answers for every state of the file, then times for the first state.
// Lines of output: a name and numbers. The file's format: bench/plain_text.py.
#if __has_include(<pinocchio/multibody.hpp>)
#include <pinocchio/multibody.hpp>
#else
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/joint/joints.hpp>
#include <pinocchio/multibody/model.hpp>
#endif
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "fastest.h"

namespace pin = pinocchio;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct State {
  VectorXd q, v, a, tau;
};

template <class Matrix>
static void fill(std::istream &file, Matrix &&numbers) {  // by rows
  for (Eigen::Index i = 0; i < numbers.rows(); i++)
    for (Eigen::Index j = 0; j < numbers.cols(); j++) file >> numbers(i, j);
}

// The specialized joint where the axis is a coordinate axis, as Pinocchio's own importers choose it.
static pin::JointModel elementary(const std::string &kind, const Vector3d &axis, double pitch) {
  const int k = axis == Vector3d::UnitX() ? 0 : axis == Vector3d::UnitY() ? 1 : axis == Vector3d::UnitZ() ? 2 : 3;
  if (kind == "revolute") {
    if (k == 0) return pin::JointModelRX();
    if (k == 1) return pin::JointModelRY();
    if (k == 2) return pin::JointModelRZ();
    return pin::JointModelRevoluteUnaligned(axis);
  }
  if (kind == "prismatic") {
    if (k == 0) return pin::JointModelPX();
    if (k == 1) return pin::JointModelPY();
    if (k == 2) return pin::JointModelPZ();
    return pin::JointModelPrismaticUnaligned(axis);
  }
  if (k == 0) return pin::JointModelHX(pitch);
  if (k == 1) return pin::JointModelHY(pitch);
  if (k == 2) return pin::JointModelHZ(pitch);
  return pin::JointModelHelicalUnaligned(axis, pitch);
}

static pin::JointModel steps(std::istream &file, Vector3d &first) {
  int count;
  file >> count;
  pin::JointModelComposite sequence;
  for (int i = 0; i < count; i++) {
    std::string kind;
    Vector3d axis, translation;
    double pitch;
    file >> kind >> pitch;
    fill(file, axis), fill(file, translation);
    if (count == 1) {
      first = translation;
      return elementary(kind, axis, pitch);
    }
    sequence.addJoint(elementary(kind, axis, pitch), pin::SE3(Eigen::Matrix3d::Identity(), translation));
  }
  return sequence;
}

static pin::Model read_model(std::istream &file) {
  pin::Model model;
  int links;
  Vector3d gravity;
  file >> links;
  fill(file, gravity);
  model.gravity.linear(gravity);
  std::vector<double> armature;
  for (int i = 0; i < links; i++) {
    int parent;
    std::string kind;
    file >> parent >> kind;
    Vector3d first = Vector3d::Zero();
    pin::JointModel joint;
    if (kind == "free") joint = pin::JointModelFreeFlyer();
    else if (kind == "spherical") joint = pin::JointModelSpherical();
    else if (kind == "planar") joint = pin::JointModelPlanar();
    else joint = steps(file, first);
    Eigen::Matrix3d rotation, inertia;
    Vector3d translation, center;
    double mass;
    fill(file, rotation), fill(file, translation);
    file >> mass;
    fill(file, center), fill(file, inertia);
    const auto index = model.addJoint(parent + 1, joint, pin::SE3(rotation, translation + rotation * first),
                                      "link" + std::to_string(i));
    model.appendBodyToJoint(index, pin::Inertia(mass, center, inertia), pin::SE3::Identity());
    for (int k = 0; k < model.joints[index].nv(); k++) {
      double added;
      file >> added;
      armature.push_back(added);
    }
  }
  for (size_t k = 0; k < armature.size(); k++) model.armature[(Eigen::Index)k] = armature[k];
  return model;
}

static void print(const char *name, const MatrixXd &numbers) {
  std::printf("%s", name);
  for (Eigen::Index i = 0; i < numbers.rows(); i++)
    for (Eigen::Index j = 0; j < numbers.cols(); j++) std::printf(" %.17g", numbers(i, j));
  std::printf("\n");
}

template <class Work>
static void time(const char *name, Work work, double seconds) {
  const double ns = fastest_ns([](void *context) { (*static_cast<Work *>(context))(); }, &work, seconds);
  std::printf("ns.%s %.4f\n", name, ns);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  std::ifstream file(argv[1]);
  const pin::Model model = read_model(file);
  int count;
  file >> count;
  std::vector<State> states(count);
  for (State &s : states) {
    s.q.resize(model.nq), s.v.resize(model.nv), s.a.resize(model.nv), s.tau.resize(model.nv);
    fill(file, s.q), fill(file, s.v), fill(file, s.a), fill(file, s.tau);
  }
  if (!file || count < 1) return std::fprintf(stderr, "the mechanism's file is incomplete\n"), 1;

  // Both conventions are checked and timed; the faster one stands for Pinocchio.
  pin::Data data(model);
  for (const State &s : states) {
    print("inverse_dynamics", pin::rnea(model, data, s.q, s.v, s.a));
    for (const auto convention : {pin::Convention::LOCAL, pin::Convention::WORLD}) {
      print("forward_dynamics", pin::aba(model, data, s.q, s.v, s.tau, convention));
      print("mass_matrix", MatrixXd(pin::crba(model, data, s.q, convention).selfadjointView<Eigen::Upper>()));
    }
  }
  const State s = states[0];
  const double seconds = std::atof(argv[2]);
  time("inverse_dynamics", [&] { pin::rnea(model, data, s.q, s.v, s.a); }, seconds);
  for (const auto convention : {pin::Convention::LOCAL, pin::Convention::WORLD}) {
    time("forward_dynamics", [&] { pin::aba(model, data, s.q, s.v, s.tau, convention); }, seconds);
    time("mass_matrix", [&] { pin::crba(model, data, s.q, convention); }, seconds);
  }
}
