import { pixelsOf, rgbOf } from '../model/room_map';
import type { RoomMap } from '../model/sections';

/** The map as an image of one pixel per cell, in the colors of the theme; null: it has no cells. */
export function pictureOf(map: RoomMap): OffscreenCanvas | null {
  if (map.width < 1 || map.height < 1) return null;
  const picture = new OffscreenCanvas(map.width, map.height);
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => rgbOf(style.getPropertyValue(name));
  const pixels = pixelsOf(map, color('--floor'), color('--wall'));
  picture.getContext('2d')?.putImageData(new ImageData(pixels, map.width, map.height), 0, 0);
  return picture;
}
