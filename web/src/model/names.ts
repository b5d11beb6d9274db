/**
 * The name of a client of the station, as people read it. `you`: the name of this page; null in a replay, which has none.
 * `other`: a page with another name, which of the past may be an earlier connection of this page.
 */
export function clientName(name: string, you: string | null, other = 'another page'): string {
  if (name === you) return 'this page';
  if (name === 'autopilot') return 'the station’s autopilot';
  // The station numbers its clients: `page#3`.
  const kind = name.replace(/#\d+$/, '');
  return kind === 'page' && kind !== name ? (you === null ? 'a page' : other) : kind;
}

/** A text of the station, with the names of clients as people read them. */
export const withPlainNames = (text: string, you: string | null, other = 'another page'): string =>
  text.replace(/[\w-]+#\d+/g, (name) => clientName(name, you, other));

/** Same, of a text about the past: a page with another name may be an earlier connection of this one. */
export const withPastNames = (text: string, you: string | null): string => withPlainNames(text, you, 'a page');
