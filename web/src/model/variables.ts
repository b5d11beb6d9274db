import type { Variable } from './sections';
import { fixed } from './units';

export function valueText({ type, value, cut }: Variable): string {
  if (typeof value === 'number') return Number.isInteger(value) ? fixed(value, 0) : fixed(value, 4);
  if (typeof value === 'string') return cut ? `${value} …` : value;
  return `${value.bytes} bytes${type === 'binary' ? '' : ` of ${type}`}`;
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
