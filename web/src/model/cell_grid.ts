import type { MarineCells, MarineGrid, MarineShape } from '../generated/data';

/** Colors from the lowest to the highest value: brightness rises, so that they can be told apart without hue. */
const scale: [number, number, number][] = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
];

/** The color of a value between the least and the most; outside of them, that of the limit. */
export function valueColor(value: number, least: number, most: number): string {
  const part = most > least ? Math.min(1, Math.max(0, (value - least) / (most - least))) : 0;
  const at = Math.min(scale.length - 2, Math.floor(part * (scale.length - 1)));
  const [from, to] = [scale[at], scale[at + 1]];
  if (!from || !to) return '#000000';
  const between = part * (scale.length - 1) - at;
  return `#${from.map((low, i) => Math.round(low + ((to[i] ?? low) - low) * between).toString(16).padStart(2, '0')).join('')}`;
}

/** The scale as a CSS gradient, from left to right. */
export const scaleGradient = `linear-gradient(to right, ${scale.map((color) => `rgb(${color.join(' ')})`).join(', ')})`;

/** The grid with new values of some cells. */
export function changed(grid: MarineGrid, cells: MarineCells): MarineGrid {
  const values = [...grid.values];
  cells.cells.forEach((cell, i) => {
    const value = cells.values[i];
    if (cell < values.length && value !== undefined) values[cell] = value;
  });
  return { ...grid, least: cells.least, most: cells.most, values };
}

/** The value of the cell that contains a point; null if there is none. */
export function valueAt(grid: MarineGrid, x: number, y: number): number | null {
  const half = grid.cell_size / 2;
  const at = grid.cells.findIndex(([left, bottom]) => Math.abs(left - x) <= half && Math.abs(bottom - y) <= half);
  return grid.values[at] ?? null;
}

/** `density: 7`, or the label of the grid if its variable has no name. */
export function valueText(shape: MarineShape, x: number, y: number): string | null {
  const value = shape.grid ? valueAt(shape.grid, x, y) : null;
  return value === null ? null : `${shape.grid?.name || shape.label}: ${Number(value.toFixed(4))}`;
}
