"""
URDF robots
===========

A robot's description file becomes a system like any other.
"""

import warnings

import numpy as np

import jourdain as jd

# %%
# `load_urdf` takes a path, or the text itself. Only the dynamics are read: geometry is passed over and no other file is
# opened. Links without mass and fixed joints cost nothing in the compiled code.

TEXT = """
<robot name="crane arm">
  <link name="base">
    <inertial>
      <mass value="20"/>
      <inertia ixx="0.4" iyy="0.4" izz="0.5" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <link name="boom">
    <inertial>
      <origin xyz="0 0 0.5" rpy="0 0 0"/>
      <mass value="8"/>
      <inertia ixx="0.7" iyy="0.7" izz="0.02" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <link name="jib">
    <inertial>
      <origin xyz="0.3 0 0" rpy="0 0 0.1"/>
      <mass value="3"/>
      <inertia ixx="0.01" iyy="0.09" izz="0.09" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <link name="hook"/>
  <joint name="slew" type="continuous">
    <parent link="base"/> <child link="boom"/> <axis xyz="0 0 1"/>
  </joint>
  <joint name="reach" type="prismatic">
    <parent link="boom"/> <child link="jib"/> <origin xyz="0 0 1"/> <axis xyz="1 0 0"/>
    <limit lower="0" upper="0.5" effort="100" velocity="1"/>
  </joint>
  <joint name="mount" type="fixed">
    <parent link="jib"/> <child link="hook"/> <origin xyz="0.6 0 0"/>
  </joint>
</robot>
"""

robot = jd.load_urdf(TEXT)
robot

# %%
# With `floating=True` the root link is carried by a free joint called `root`:

print(jd.load_urdf(TEXT, floating=True).coordinates)

# %%
# With `parameters=True` every link's mass, mass centre and inertia can be changed at run time:

arm = jd.compile(jd.load_urdf(TEXT, parameters=True))
q, u, udot = np.array([0.4, 0.2]), np.array([1.0, 0.0]), np.zeros(2)
print(arm.inverse_dynamics(q, u, udot))
print(arm.with_parameters({"jib.mass": [3.0, 5.0, 9.0]}).inverse_dynamics(q, u, udot))

# %%
# Damping, friction and limits in the file are not applied. A model with the robot in it says what is wanted:

m = jd.Model("crane with a load")
crane = m.place(robot, "crane")
load = m.particle("load", mass=10.0, center=(0, 0, -0.4))
m.universal("rope", crane["hook"], load)
m.joint_damper(crane["slew"], damping=2.0)
m.system()

# %%
# What cannot be taken as it stands is warned of (joints that mimic others, inertias that no body has); what is wrong
# is an error with the file's line:

try:
    jd.load_urdf(TEXT.replace('<parent link="jib"/>', '<parent link="jip"/>'))
except jd.ModelError as error:
    for mistake in error.mistakes:
        print(mistake.where.line, mistake.text)

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    jd.load_urdf(TEXT.replace('ixx="0.01"', 'ixx="0.5"'))
print(said[0].message)

# %%
# From the command line, `jourdain derive robot.urdf`, `jourdain count robot.urdf` and
# `jourdain bench --models robot.urdf` read the same files. UR5, Panda, Solo and Talos come with the `robots` extra:
# `jourdain bench --models talos`.
