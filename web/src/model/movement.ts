// Of held keys: the movement they mean, as motion/movement.hpp spells it. Of a stick: the velocity.

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

/** The highest speeds of the stick, in m/s and rad/s; the robot reduces them to its own. */
export const stickSpeeds = { forward: 0.45, turn: 1.8 };
const deadZone = 0.15;

/** Of one axis of a stick: 0 in the dead zone, and slow near it. */
function deflection(value: number): number {
  const reach = Math.min(1, Math.abs(value));
  return reach < deadZone ? 0 : Math.sign(value) * ((reach - deadZone) / (1 - deadZone)) ** 1.5;
}

/**
 * Of a pointer on the pad or of a gamepad's stick: x to the right and y upwards, each from -1 to 1. The velocity, as the
 * command `drive` takes it; the nose goes left if left is wanted, forwards and backwards.
 */
export function velocityOfStick(x: number, y: number): string {
  const forward = deflection(y) * stickSpeeds.forward;
  const turn = -deflection(x) * stickSpeeds.turn;
  if (forward === 0 && turn === 0) return 'HALT';
  return `forward=${stepped(forward, 0.01).toFixed(2)} turn=${stepped(turn, 0.05).toFixed(2)}`;
}

/** Rounded to whole steps, but not to 0: a stick that is deflected does not halt. */
function stepped(value: number, step: number): number {
  return Math.sign(value) * Math.max(value === 0 ? 0 : step, Math.round(Math.abs(value) / step) * step);
}

export const isVelocity = (order: string): boolean => order.startsWith('forward=');

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
export function heldText(movement: string, known: boolean, ignored = false): string {
  if (movement === 'HALT') return ignored ? 'Not driving: let go, and hold again' : 'Not driving';
  return known ? movementText(movement) : `${movementText(movement)}: not known whether it arrives`;
}

/** A movement as people read it: `Forward left, speed 2`. */
export function movementText(movement: string): string {
  if (isVelocity(movement)) return velocityText(movement);
  const [kind, direction = '', ...levels] = movement.split('_');
  const [left = 0, right = left] = levels.map((level) => Math.abs(Number(level)));
  const name = directions[direction];
  if (kind === 'HALT' || !name) return 'Halt';
  // The nose goes to the side of the faster wheel's number, and backwards to the other one.
  const side = kind !== 'TURN' ? '' : left > right === (direction === 'FW') ? ' left' : ' right';
  return `${name}${side}, speed ${Math.max(left, right)}`;
}

function velocityText(order: string): string {
  const [forward = 0, turn = 0] = order.split(' ').map((part) => Number(part.split('=')[1]));
  const side = turn === 0 ? '' : turn > 0 ? ' left' : ' right';
  if (forward === 0) return `Turn${side}, ${Math.abs(turn).toFixed(2)} rad/s`;
  return `${forward > 0 ? 'Forward' : 'Backward'}${side}, ${Math.abs(forward).toFixed(2)} m/s`;
}
