# The robot of rover.toml in RViz, on this machine:
#   caribou robot --config rover.toml
#   ROS_LOCALHOST_ONLY=1 ros2 launch ./rover.launch.py
from pathlib import Path

from launch import LaunchDescription
from launch_ros.actions import Node

HERE = Path(__file__).resolve().parent


def generate_launch_description():
    return LaunchDescription(
        [
            Node(
                package="robot_state_publisher",
                executable="robot_state_publisher",
                parameters=[{"robot_description": (HERE / "rover.urdf").read_text()}],
            ),
            Node(package="rviz2", executable="rviz2", arguments=["-d", str(HERE / "rover.rviz")]),
        ]
    )
