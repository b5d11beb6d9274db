/**
 * The number of columns of a wall of maps, so that all robots fill a screen of this size (CSS pixels) if they fit, and no
 * card is narrower than `narrowest`.
 */
export function wallColumns(robots: number, width: number, height: number, narrowest: number): number {
  const most = Math.max(1, Math.floor(width / narrowest));
  const filling = Math.ceil(Math.sqrt((robots * width) / Math.max(1, height)));
  return Math.max(1, Math.min(robots, most, filling));
}
