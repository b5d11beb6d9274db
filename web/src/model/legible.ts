/** A color as red, green and blue from 0 to 1. */
type Rgb = [number, number, number];

export function rgbOf(color: string): Rgb | null {
  const hex = /^#([0-9a-f]{6})$/i.exec(color)?.[1];
  if (hex) return [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255) as Rgb;
  const parts = /^rgba?\(([^)]+)\)$/.exec(color)?.[1]?.split(/[ ,/]+/).map(Number);
  return parts && parts.length >= 3 ? (parts.slice(0, 3).map((part) => part / 255) as Rgb) : null;
}

const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const luminance = ([r, g, b]: Rgb): number => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);

/** The contrast of two colors, from 1 to 21, as WCAG defines it. */
export function contrast(a: Rgb, b: Rgb): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The mean color of pixels (red, green, blue and opacity, 0 to 255 each), or null if all are transparent. */
export function meanColor(pixels: ArrayLike<number>): string | null {
  const sum = [0, 0, 0];
  let weight = 0;
  for (let i = 0; i + 3 < pixels.length; i += 4) {
    const opacity = pixels[i + 3] ?? 0;
    weight += opacity;
    for (let part = 0; part < 3; ++part) sum[part] = (sum[part] ?? 0) + (pixels[i + part] ?? 0) * opacity;
  }
  return weight > 0 ? `rgb(${sum.map((part) => Math.round(part / weight)).join(' ')})` : null;
}

/** Black or white, whichever has more contrast to the ground. */
export function inkOn(ground: string): string {
  const below = rgbOf(ground);
  return below && contrast([1, 1, 1], below) > contrast([0, 0, 0], below) ? '#ffffff' : '#000000';
}

/** The color, moved towards `ink` until it can be told from the ground. */
export function legible(color: string, ground: string, ink: string, least = 2): string {
  const [from, below, to] = [rgbOf(color), rgbOf(ground), rgbOf(ink)];
  if (!from || !below || !to) return color;
  for (let part = 0; part <= 1; part += 0.1) {
    const mixed = from.map((value, i) => value + ((to[i] ?? 0) - value) * part) as Rgb;
    if (contrast(mixed, below) >= least) return part === 0 ? color : `rgb(${mixed.map((value) => Math.round(value * 255)).join(' ')})`;
  }
  return ink;
}
