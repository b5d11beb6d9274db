// Where the reader is, as the part of the address behind its `#`.

/** `#/drive/rover`. */
export function placeOf(view: string, robot: string): string {
  return robot ? `#/${view}/${encodeURIComponent(robot)}` : `#/${view}`;
}

/** What is missing or makes no sense is empty. */
export function readPlace(hash: string): { view: string; robot: string } {
  const [, view = '', robot = ''] = hash.split('/');
  try {
    return { view, robot: decodeURIComponent(robot) };
  } catch {
    return { view, robot: '' };
  }
}
