// The places of a map that have names.

/** Whether a place may have this name: letters, digits, `-` and `_`, and not `dock`, which the robot finds itself. */
export function isPlaceName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name) && name !== 'dock';
}

/** The command with a line for the map, such as `place kitchen`. */
export function mapLine(line: string): string {
  return `map line="${line}"`;
}

/** The command that sends a robot to a place. */
export function goesTo(place: string): string {
  return `go place=${place}`;
}
