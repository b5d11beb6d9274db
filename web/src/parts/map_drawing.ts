import type { Camera } from '../model/camera';
import type { Pose, Route, Scan } from '../model/messages';
import type { Area, PlacedCube } from '../model/room_map';
import type { WayPoint } from '../model/route';
import type { Plan, RoomMap } from '../model/sections';
import { outlineOf } from '../model/zones';
import { echoAt, type Point, type Track } from '../model/track';

/** The camera that shows the whole area in so many CSS pixels. */
export function fitTo(area: Area, width: number, height: number): Camera {
  const scale = Math.max(1, Math.min(width / area.width, height / area.height, 600));
  return { x: area.left + area.width / 2, y: area.bottom + area.height / 2, scale };
}

export interface Scene {
  pose: Pose | null;
  scan: Scan | null;
  route: Route | null;
  plan: Plan | null; // of an autonomous robot
  draft: WayPoint[]; // that the reader is about to load
  corners?: WayPoint[]; // of a zone that the reader draws
  track: Track;
  map: RoomMap | null;
  /** The map as a picture, a cell a pixel. */
  mapPicture: CanvasImageSource | null;
  cubes: PlacedCube[];
  past: boolean; // nothing new comes
  oldScan?: boolean; // the scan is not of the present
  small?: boolean; // an overview without grid lines
}

type Colour = 'ink' | 'dim' | 'grid' | 'accent' | 'warn' | 'bad' | 'good';
type Put = (point: Point) => [number, number];

/** Draws on a canvas of that size in CSS pixels. North is up, as in the world's own frame. */
export function drawMap(pen: CanvasRenderingContext2D, width: number, height: number, at: Camera, scene: Scene): void {
  const style = getComputedStyle(pen.canvas);
  const colour = (name: Colour) => style.getPropertyValue(`--${name}`);
  const put: Put = (point) => [
    width / 2 + (point.x - at.x) * at.scale,
    height / 2 - (point.y - at.y) * at.scale,
  ];

  pen.clearRect(0, 0, width, height);
  const { map } = scene;
  if (map && scene.mapPicture) {
    const [left, bottom] = put(map.origin);
    const cell = map.resolution * at.scale;
    pen.imageSmoothingEnabled = false;
    pen.drawImage(scene.mapPicture, left, bottom - map.height * cell, map.width * cell, map.height * cell);
  }
  if (!scene.small) drawGrid(pen, width, height, at, colour('grid'));
  if (!map) drawEchoes(pen, put, width, height, at.scale, scene.track, colour('dim'));

  for (const { name, kind, speed, corners } of map?.zones ?? [])
    drawZone(pen, put, corners, scene.small ? '' : kind === 'speed' ? `${name} ≤ ${speed.toFixed(2)} m/s` : name, colour(kind === 'speed' ? 'warn' : 'bad'));
  if (scene.corners?.length) drawZone(pen, put, outlineOf(scene.corners), '', colour('accent'));

  pen.strokeStyle = colour('accent');
  pen.lineWidth = 2;
  pen.lineJoin = 'round';
  pen.beginPath();
  for (const point of scene.track.trail)
    if (point.begins) pen.moveTo(...put(point));
    else pen.lineTo(...put(point));
  pen.stroke();

  if (scene.plan?.goal && scene.pose && !scene.past) drawPlan(pen, put, scene.pose, scene.plan, colour('good'));
  if (scene.route) drawRoute(pen, put, scene.route, colour('ink'));
  drawPoints(pen, put, scene.draft, colour('bad'));
  for (const place of map?.places ?? []) drawPlace(pen, put(place), place.name, scene.small === true, colour('ink'));
  if (map?.dock) drawDock(pen, put(map.dock), map.dock.heading, at.scale, colour('good'));
  // The robot has moved on since the scan was taken.
  if (scene.scan && scene.pose && !scene.past) drawScan(pen, put, scene.scan.pose ?? scene.pose, scene.scan, colour(scene.oldScan ? 'dim' : 'warn'));
  for (const cube of scene.cubes) drawCube(pen, put(cube), at.scale, cube.lights, colour('ink'));
  if (scene.pose) drawRobot(pen, put(scene.pose), scene.pose.heading, at.scale, scene.past ? colour('dim') : colour('accent'), colour('ink'));
}

/** What the page has seen itself, of a robot that sends no map. */
function drawEchoes(
  pen: CanvasRenderingContext2D,
  put: Put,
  width: number,
  height: number,
  scale: number,
  track: Track,
  colour: string,
): void {
  pen.fillStyle = colour;
  const dot = Math.max(2, scale * 0.045);
  for (const echo of track.echoes) {
    const [x, y] = put(echo);
    if (x > -9 && y > -9 && x < width + 9 && y < height + 9) pen.fillRect(x - dot / 2, y - dot / 2, dot, dot);
  }
}

/** A filled polygon with its name in its middle. */
function drawZone(pen: CanvasRenderingContext2D, put: Put, corners: WayPoint[], name: string, colour: string): void {
  const points = corners.map(([x, y]) => put({ x, y }));
  pen.strokeStyle = colour;
  pen.fillStyle = colour;
  pen.lineWidth = 2;
  pen.setLineDash([6, 3]);
  pen.beginPath();
  for (const point of points) pen.lineTo(...point);
  pen.closePath();
  pen.globalAlpha = 0.18;
  pen.fill();
  pen.globalAlpha = 1;
  pen.stroke();
  pen.setLineDash([]);
  for (const [x, y] of points) pen.fillRect(x - 2, y - 2, 4, 4);
  if (name === '') return;
  const middle = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  pen.font = '12px system-ui, sans-serif';
  pen.textAlign = 'center';
  pen.fillText(name, middle(0), middle(1) + 4);
  pen.textAlign = 'start';
}

function drawPlace(pen: CanvasRenderingContext2D, [x, y]: [number, number], name: string, small: boolean, colour: string): void {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x - 5, y - 10);
  pen.arc(x, y - 11, 5, Math.PI, 0);
  pen.lineTo(x, y);
  pen.fill();
  if (small) return;
  pen.font = '12px system-ui, sans-serif';
  pen.fillText(name, x + 8, y - 7);
}

function drawDock(pen: CanvasRenderingContext2D, [x, y]: [number, number], heading: number, scale: number, colour: string): void {
  const size = Math.max(10, 0.2 * scale);
  pen.save();
  pen.translate(x, y);
  pen.rotate(-heading);
  pen.strokeStyle = colour;
  pen.fillStyle = colour;
  pen.lineWidth = 3;
  pen.beginPath();
  pen.moveTo(size * 0.6, -size);
  pen.lineTo(-size * 0.8, -size);
  pen.lineTo(-size * 0.8, size);
  pen.lineTo(size * 0.6, size);
  pen.stroke();
  pen.restore();
  pen.font = `${Math.max(12, size)}px system-ui, sans-serif`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillText('⚡', x, y);
  pen.textAlign = 'start';
  pen.textBaseline = 'alphabetic';
}

/** A square with its four lights, as they glow. */
function drawCube(pen: CanvasRenderingContext2D, [x, y]: [number, number], scale: number, lights: string[], edge: string): void {
  const half = Math.max(8, 0.05 * scale);
  pen.fillStyle = '#1b222b';
  pen.strokeStyle = edge;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.roundRect(x - half, y - half, 2 * half, 2 * half, half / 3);
  pen.fill();
  pen.stroke();
  const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]] as const;
  corners.forEach(([right, down], i) => {
    pen.fillStyle = lights[i] ?? '#4b5664';
    pen.beginPath();
    pen.arc(x + (right * half) / 2, y + (down * half) / 2, half / 3.2, 0, 2 * Math.PI);
    pen.fill();
  });
}

/** The path that is left, and a target at its end. */
function drawPlan(pen: CanvasRenderingContext2D, put: Put, pose: Pose, { goal, path }: Plan, color: string): void {
  pen.strokeStyle = color;
  pen.lineWidth = 2.5;
  pen.setLineDash([2, 6]);
  pen.lineCap = 'round';
  pen.beginPath();
  pen.moveTo(...put(pose));
  for (const [x, y] of path) pen.lineTo(...put({ x, y }));
  pen.stroke();
  pen.setLineDash([]);
  pen.lineCap = 'butt';
  if (!goal) return;
  const [x, y] = put(goal);
  for (const radius of [3, 9]) {
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.stroke();
  }
}

function drawRoute(pen: CanvasRenderingContext2D, put: Put, route: Route, colour: string): void {
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5;
  pen.setLineDash([5, 4]);
  pen.beginPath();
  for (const [x, y] of route.path) pen.lineTo(...put({ x, y }));
  pen.stroke();
  pen.setLineDash([]);
  drawPoints(pen, put, route.points, colour);
}

function drawPoints(pen: CanvasRenderingContext2D, put: Put, points: WayPoint[], colour: string): void {
  pen.strokeStyle = colour;
  pen.fillStyle = colour;
  pen.lineWidth = 2;
  pen.font = '600 12px system-ui, sans-serif';
  points.forEach(([px, py], i) => {
    const [x, y] = put({ x: px, y: py });
    pen.beginPath();
    pen.arc(x, y, 6, 0, 2 * Math.PI);
    pen.stroke();
    pen.fillText(`${i + 1}`, x + 9, y - 6);
  });
}

function drawGrid(pen: CanvasRenderingContext2D, width: number, height: number, at: Camera, colour: string): void {
  const step = stepOf(at.scale);
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.beginPath();
  const left = Math.ceil((at.x - width / 2 / at.scale) / step);
  const right = (at.x + width / 2 / at.scale) / step;
  for (let i = left; i <= right; i++) {
    const x = Math.round(width / 2 + (i * step - at.x) * at.scale) + 0.5;
    pen.moveTo(x, 0);
    pen.lineTo(x, height);
  }
  const bottom = Math.ceil((at.y - height / 2 / at.scale) / step);
  const top = (at.y + height / 2 / at.scale) / step;
  for (let i = bottom; i <= top; i++) {
    const y = Math.round(height / 2 - (i * step - at.y) * at.scale) + 0.5;
    pen.moveTo(0, y);
    pen.lineTo(width, y);
  }
  pen.stroke();
}

/** Metres between two lines of the grid, so that they stand neither too close nor too far apart. */
export function stepOf(scale: number): number {
  for (const step of [0.1, 0.25, 0.5, 1, 2, 5, 10, 25, 50]) if (step * scale >= 48) return step;
  return 100;
}

function drawScan(
  pen: CanvasRenderingContext2D,
  put: Put,
  pose: Pose,
  scan: Scan,
  colour: string,
): void {
  const from = put(pose);
  pen.strokeStyle = colour;
  pen.fillStyle = colour;
  for (const [bearing, distance] of scan.ranges) {
    if (distance <= 0) continue;
    const [x, y] = put(echoAt(pose, bearing, distance));
    pen.globalAlpha = 0.25;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(...from);
    pen.lineTo(x, y);
    pen.stroke();
    pen.globalAlpha = 1;
    pen.beginPath();
    pen.arc(x, y, 3, 0, 2 * Math.PI);
    pen.fill();
  }
}

function drawRobot(
  pen: CanvasRenderingContext2D,
  [x, y]: [number, number],
  heading: number,
  scale: number,
  body: string,
  edge: string,
): void {
  const size = Math.max(11, 0.16 * scale);
  pen.save();
  pen.translate(x, y);
  pen.rotate(-heading);
  pen.beginPath();
  pen.moveTo(size * 1.25, 0);
  pen.lineTo(-size * 0.8, size * 0.85);
  pen.lineTo(-size * 0.4, 0);
  pen.lineTo(-size * 0.8, -size * 0.85);
  pen.closePath();
  pen.fillStyle = body;
  pen.fill();
  pen.lineWidth = 1.5;
  pen.strokeStyle = edge;
  pen.stroke();
  pen.restore();
}
