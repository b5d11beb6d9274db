import type { RoomMap } from '../src/model/sections';

/** A reader of the cells of a map: 0 unknown, 1 free, 2 occupied. */
export function cellsOf({ width, height, resolution, origin, runs }: RoomMap) {
  const cells: number[] = [];
  for (let i = 0; i < runs.length; i += 2) cells.push(...Array<number>(runs[i + 1]!).fill(runs[i]!));
  const at = (column: number, row: number) => (column < 0 || row < 0 || column >= width || row >= height ? 0 : cells[row * width + column]!);
  const all = cells.map((cell, i) => {
    const [column, row] = [i % width, Math.floor(i / width)];
    return { cell, column, row, x: origin.x + (column + 0.5) * resolution, y: origin.y + (row + 0.5) * resolution };
  });
  /** Whether every cell within a distance in m is so. */
  const around = ({ column, row }: (typeof all)[number], meters: number, is: number) => {
    const reach = Math.ceil(meters / resolution);
    for (let i = -reach; i <= reach; i++) for (let j = -reach; j <= reach; j++) if (at(column + i, row + j) !== is) return false;
    return true;
  };
  return { all, around };
}
