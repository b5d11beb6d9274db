import type { Variable } from './sections';
import { fixed } from './units';

export function valueText({ number, text, cut, bytes }: Variable): string {
  if (number !== undefined) return fixed(number, Number.isInteger(number) ? 0 : 4);
  if (text !== undefined) return cut ? `${text} …` : text;
  return `${bytes ?? 0} bytes`;
}

/** A filter is a part of the name, source or text, or a name with `*` for anything. */
export function matches(variable: Variable, filter: string): boolean {
  const wanted = filter.trim().toLowerCase();
  if (!wanted) return true;
  const name = variable.name.toLowerCase();
  if (wanted.includes('*')) return isLike(name, wanted);
  return [name, variable.source.toLowerCase(), valueText(variable).toLowerCase()].some((text) => text.includes(wanted));
}

/** As the bus understands patterns: `*` is anything, `?` one letter. */
export function isLike(name: string, pattern: string): boolean {
  const expression = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*').replace(/\?/g, '.');
  return new RegExp(`^${expression}$`, 'i').test(name);
}
