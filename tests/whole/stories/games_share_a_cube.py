"""One connection serves all who play with a cube, and is closed when there is nobody left.

README: Shared cubes
"""
from programs import does, expect


def story():
    played = does("cubes", "watch", "--do", "0s:subscribe game", "--do", "2s:subscribe dance", "--do", "16s:unsubscribe game",
                  "--do", "18s:unsubscribe dance", limit=60)
    expect(played.count("the cube is connected") == 1, played)
    expect("game callback: connected" in played and "dance callback: connected" in played, played)
    expect("disconnecting: no subscription needs it" in played, played)
