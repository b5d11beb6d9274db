// Of held keys and of a pointer: the movement they mean, as link/movement.hpp spells it.

export type Level = 1 | 2 | 3;

/** What is wanted. Ahead and left are 1, 0 or -1. */
export interface Wish {
  ahead: number;
  left: number;
  level: Level;
}

export const keysOfDirections: Record<string, Pick<Wish, 'ahead' | 'left'>> = {
  ArrowUp: { ahead: 1, left: 0 },
  KeyW: { ahead: 1, left: 0 },
  ArrowDown: { ahead: -1, left: 0 },
  KeyS: { ahead: -1, left: 0 },
  ArrowLeft: { ahead: 0, left: 1 },
  KeyA: { ahead: 0, left: 1 },
  ArrowRight: { ahead: 0, left: -1 },
  KeyD: { ahead: 0, left: -1 },
};

/** Opposite keys cancel each other. */
export function wishOfKeys(held: Iterable<string>, level: Level): Wish {
  let ahead = 0;
  let left = 0;
  for (const key of held) {
    ahead += keysOfDirections[key]?.ahead ?? 0;
    left += keysOfDirections[key]?.left ?? 0;
  }
  return { ahead: Math.sign(ahead), left: Math.sign(left), level };
}

const deadZone = 0.2;

/** Of a pointer on the pad: x to the right and y upwards, each from -1 to 1. Further out is faster. */
export function wishOfPointer(x: number, y: number): Wish {
  const reach = Math.min(1, Math.hypot(x, y));
  if (reach < deadZone) return { ahead: 0, left: 0, level: 1 };
  const level = Math.min(3, 1 + Math.floor(((reach - deadZone) / (1 - deadZone)) * 3)) as Level;
  // Eight sectors of 45 degrees, counted from ahead to the left.
  const sector = (Math.round(Math.atan2(-x, y) / (Math.PI / 4)) + 8) % 8;
  const ahead = [1, 1, 0, -1, -1, -1, 0, 1][sector] ?? 0;
  const left = [0, 1, 1, 1, 0, -1, -1, -1][sector] ?? 0;
  return { ahead, left, level };
}

/** The nose goes left if left is wanted, forwards and backwards. */
export function movementOf({ ahead, left, level }: Wish): string {
  if (ahead === 0 && left === 0) return 'HALT';
  if (ahead === 0) return `SWIV_${left > 0 ? 'LEFT' : 'RIGHT'}_${level}`;
  if (left === 0) return `MOVE_${ahead > 0 ? 'FW' : 'BW'}_${level}`;
  const inner = level - 1;
  if (ahead > 0) return left > 0 ? `TURN_FW_${level}_${inner}` : `TURN_FW_${inner}_${level}`;
  const slow = inner === 0 ? '0' : `-${inner}`;
  return left > 0 ? `TURN_BW_${slow}_-${level}` : `TURN_BW_-${level}_${slow}`;
}

const directions: Record<string, string> = { FW: 'Forward', BW: 'Backward', LEFT: 'Turn left', RIGHT: 'Turn right' };

/** What is held now. `known`: the robot can be reached, so that it does what is held. */
export function heldText(movement: string, known: boolean): string {
  if (movement === 'HALT') return 'Not driving';
  return known ? movementText(movement) : `${movementText(movement)}: not known whether it arrives`;
}

/** A movement as people read it: `Forward left, speed 2`. */
export function movementText(movement: string): string {
  const [kind, direction = '', ...levels] = movement.split('_');
  const [left = 0, right = left] = levels.map((level) => Math.abs(Number(level)));
  const name = directions[direction];
  if (kind === 'HALT' || !name) return 'Halt';
  // The nose goes to the side of the faster wheel's number, and backwards to the other one.
  const side = kind !== 'TURN' ? '' : left > right === (direction === 'FW') ? ' left' : ' right';
  return `${name}${side}, speed ${Math.max(left, right)}`;
}
