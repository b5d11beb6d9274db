// Numbers as people read them: always with their unit.

const minus = '\u2212';

/** With a capital letter at its beginning. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `3 robots`, `1 robot`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

export function fixed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? minus + text : text;
}

export const metres = (value: number): string => `${fixed(value, 2)} m`;
export const speed = (value: number | null): string => (value === null ? 'unknown' : `${fixed(value, 2)} m/s`);
export const volts = (value: number | null, digits = 1): string => (value === null ? 'unknown' : `${fixed(value, digits)} V`);
export const seconds = (value: number): string => `${fixed(value, 1)} s`;
export const amperes = (value: number | null): string => (value === null ? 'unknown' : `${fixed(value, 1)} A`);
export const percent = (share: number | null): string => (share === null ? 'unknown' : `${fixed(share * 100, 0)} %`);

/** `640 B`, `12.3 kB`, `1.5 MB`. */
export function bytes(value: number): string {
  if (value < 1000) return `${fixed(value, 0)} B`;
  if (value < 1e6) return `${fixed(value / 1e3, 1)} kB`;
  return value < 1e9 ? `${fixed(value / 1e6, 1)} MB` : `${fixed(value / 1e9, 1)} GB`;
}
export const bytesPerSecond = (value: number): string => `${bytes(value)}/s`;

/** Of an angle in rad, from 0° to 359°. */
export function degrees(angle: number): string {
  const turns = ((angle * 180) / Math.PI) % 360;
  return `${Math.round(turns < 0 ? turns + 360 : turns) % 360}°`;
}

/** `0.4 s`, `12 s`, `3 min`, `5 h`, `2 d`. */
export function duration(seconds: number): string {
  const s = Math.max(0, seconds);
  if (s < 9.95) return `${s.toFixed(1)} s`;
  if (s < 120) return `${Math.round(s)} s`;
  if (s < 7200) return `${Math.round(s / 60)} min`;
  if (s < 172_800) return `${Math.round(s / 3600)} h`;
  return `${Math.round(s / 86_400)} d`;
}

/** The time of day where the page is read. */
export function clock(unix: number): string {
  return new Date(unix * 1000).toLocaleTimeString([], { hour12: false });
}

export function dateAndClock(unix: number): string {
  return `${new Date(unix * 1000).toLocaleDateString([], { day: 'numeric', month: 'short', year: 'numeric' })}, ${clock(unix)}`;
}

export type Freshness = 'fresh' | 'late' | 'stale';

/** Of data that becomes stale at the limit, in seconds. */
export function freshness(age: number, limit = 1): Freshness {
  return age < limit / 2 ? 'fresh' : age < limit ? 'late' : 'stale';
}
