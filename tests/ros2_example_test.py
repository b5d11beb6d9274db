"""examples/ros2/: what can be checked without ROS 2. Its topics are those that docs/robot.md describes."""

import ast
import re
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
EXAMPLE = TOP / "examples" / "ros2"


class Ros2Example(unittest.TestCase):
    def test_the_launch_file_names_files_that_exist(self):
        text = (EXAMPLE / "rover.launch.py").read_text()
        ast.parse(text)
        for name in re.findall(r'HERE / "([^"]+)"', text):
            self.assertTrue((EXAMPLE / name).is_file(), name)

    def test_the_hull_is_the_frame_of_the_robot(self):
        robot = xml.parse(EXAMPLE / "rover.urdf").getroot()
        self.assertEqual([link.get("name") for link in robot.iter("link")],
                         ["base_link", "left_wheel", "right_wheel"])

    def test_its_joints_are_those_of_joint_states(self):
        robot = xml.parse(EXAMPLE / "rover.urdf").getroot()
        source = (TOP / "src" / "robot" / "ros_messages.cpp").read_text()
        for joint in robot.iter("joint"):
            self.assertIn(f'"{joint.get("name")}"', source)
        radii = {cylinder.get("radius") for link in list(robot.iter("link"))[1:] for cylinder in link.iter("cylinder")}
        self.assertEqual(radii, {re.search(r"wheel_radius = (\S+)", (EXAMPLE / "rover.toml").read_text())[1]})

    def test_rviz_shows_topics_of_the_robot(self):
        documented = set(re.findall(r"`(\w+)`", (TOP / "docs" / "robot.md").read_text()))
        shown = re.findall(r"Value: /(\S+)", (EXAMPLE / "rover.rviz").read_text())
        self.assertIn("goal_pose", shown)
        for topic in shown:
            self.assertTrue(topic in documented or topic == "robot_description", topic)


if __name__ == "__main__":
    unittest.main()
