import type { MarineConfig, MarineShape } from '../generated/data';
import type { Camera } from '../model/camera';
import { valueColor } from '../model/cell_grid';
import { inkOn, legible } from '../model/legible';
import { isStale, pulseAt, type MarineScene, type Vessel } from '../model/marine_scene';

export interface Look {
  config: MarineConfig;
  now: number; // s
  picked: string | null;
  connected: boolean; // false: nothing new comes
  image: CanvasImageSource | null;
  imageColor: string | null; // its mean
  hidden: ReadonlySet<string>; // kinds of shapes
  trails: boolean;
}

const readable = 4.5; // contrast of a text

type Put = (x: number, y: number) => [number, number];

/** The pen with what every part of a drawing needs. */
interface Drawing {
  pen: CanvasRenderingContext2D;
  put: Put;
  at: Camera;
  width: number;
  height: number;
  look: Look;
  unit: number; // CSS pixels of a pixel of the values: more on large screens
  color: (name: string) => string; // of the theme; `sea` and `ink` are those of the image, if there is one
  /** A color of a value, as it can be told from the water or the image; of a text, as it can be read on it. */
  shown: (color: string, contrast?: number) => string;
}

export function drawMarine(pen: CanvasRenderingContext2D, width: number, height: number, at: Camera, scene: MarineScene, look: Look): void {
  const style = getComputedStyle(pen.canvas);
  const themed = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const ground = look.imageColor ?? themed('sea');
  const ink = look.imageColor ? inkOn(look.imageColor) : themed('ink');
  const color = (name: string) => (name === 'sea' ? ground : name === 'ink' ? ink : themed(name));
  const known = new Map<string, string>();
  const shown = (given: string, contrast = 2): string => {
    const key = given + contrast;
    let found = known.get(key);
    if (found === undefined) known.set(key, (found = legible(given, ground, ink, contrast)));
    return found;
  };
  const put: Put = (x, y) => [width / 2 + (x - at.x) * at.scale, height / 2 - (y - at.y) * at.scale];
  const unit = parseFloat(style.fontSize) / 15 || 1;
  const drawing: Drawing = { pen, put, at, width, height, look, unit, color, shown };

  pen.fillStyle = themed('sea');
  pen.fillRect(0, 0, width, height);
  pen.lineJoin = 'round';
  pen.font = `${Math.max(12, Math.round(parseFloat(style.fontSize) * 0.86))}px ${style.fontFamily}`;
  if (look.image && look.config.background) {
    const { west, east, south, north } = look.config.background;
    const [left, top] = put(west, north);
    const [right, bottom] = put(east, south);
    pen.drawImage(look.image, left, top, right - left, bottom - top);
  }
  if (look.config.grid) drawGrid(drawing);
  for (const area of look.config.areas) drawShape(drawing, area);
  for (const shape of scene.shapesAt(look.now)) if (!look.hidden.has(shape.kind)) drawShape(drawing, shape);
  const vessels = [...scene.vessels.values()].filter((one) => look.now - one.at <= look.config.remove_after);
  if (look.trails) for (const vessel of vessels) drawTrail(drawing, vessel);
  for (const vessel of vessels) drawVessel(drawing, vessel);
}

/** The distance of grid lines in meters: 1, 2 or 5 times a power of ten, about 90 pixels. */
export function gridStep(scale: number): number {
  const wanted = 90 / scale;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 5, 10].map((part) => part * power).find((step) => step >= wanted) ?? power * 10;
}

function drawGrid({ pen, put, at, width, height, look, color }: Drawing): void {
  const configured = look.config.grid_step;
  const step = configured > 0 && configured * at.scale > 12 ? configured : gridStep(at.scale);
  const [left, bottom] = [at.x - width / 2 / at.scale, at.y - height / 2 / at.scale];
  pen.strokeStyle = color('sea-line');
  pen.lineWidth = 1;
  pen.beginPath();
  for (let x = Math.ceil(left / step) * step; x <= left + width / at.scale; x += step) {
    const [at0] = put(x, 0);
    pen.moveTo(Math.round(at0) + 0.5, 0);
    pen.lineTo(Math.round(at0) + 0.5, height);
  }
  for (let y = Math.ceil(bottom / step) * step; y <= bottom + height / at.scale; y += step) {
    const [, at0] = put(0, y);
    pen.moveTo(0, Math.round(at0) + 0.5);
    pen.lineTo(width, Math.round(at0) + 0.5);
  }
  pen.stroke();
  drawScaleBar(pen, step * at.scale, step, height, color('dim'));
}

function drawScaleBar(pen: CanvasRenderingContext2D, length: number, meters: number, height: number, color: string): void {
  pen.strokeStyle = pen.fillStyle = color;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(14, height - 20);
  pen.lineTo(14, height - 14);
  pen.lineTo(14 + length, height - 14);
  pen.lineTo(14 + length, height - 20);
  pen.stroke();
  pen.textAlign = 'left';
  pen.textBaseline = 'bottom';
  pen.fillText(meters >= 1000 ? `${meters / 1000} km` : `${meters} m`, 20, height - 18);
}

function trace({ pen, put }: Drawing, shape: MarineShape): void {
  pen.beginPath();
  shape.points.forEach(([x, y], i) => (i === 0 ? pen.moveTo(...put(x, y)) : pen.lineTo(...put(x, y))));
  if (shape.closed) pen.closePath();
}

function paint({ pen, shown, unit }: Drawing, shape: MarineShape, fill = shape.fill): void {
  if (shape.fill_color && fill > 0) {
    pen.globalAlpha = fill;
    pen.fillStyle = fill === 1 ? shape.fill_color : shown(shape.fill_color);
    pen.fill();
    pen.globalAlpha = 1;
  }
  if (shape.edge_color && shape.edge_size > 0) {
    pen.strokeStyle = shown(shape.edge_color);
    pen.lineWidth = shape.edge_size * unit;
    pen.stroke();
  }
}

function drawShape(drawing: Drawing, shape: MarineShape): void {
  const { pen, put, at, look, unit } = drawing;
  const first = shape.points[0];
  if (!first) return;
  const [left, top] = put(...first);
  if (shape.kind === 'circle' || shape.kind === 'range_pulse') {
    const { radius, fill } = shape.kind === 'circle' ? shape : pulseAt(shape, look.now);
    pen.beginPath();
    pen.arc(left, top, radius * at.scale, 0, 2 * Math.PI);
    paint(drawing, shape, fill);
  } else if (shape.kind === 'marker') {
    drawMarker(drawing, shape, left, top);
  } else if (shape.kind !== 'point' && shape.kind !== 'textbox') {
    drawCells(drawing, shape);
    trace(drawing, shape);
    paint(drawing, shape);
  }
  drawVertices(drawing, shape);
  if (shape.kind === 'textbox') drawLines(drawing, shape, left, top);
  else if (!look.config.hidden_labels.includes(shape.kind) && shape.label_color)
    write(drawing, shape.text, left + (Math.max(shape.vertex_size / 2, 4) + 3) * unit + (shape.kind === 'marker' ? (shape.width * at.scale) / 2 : 0), top - 8 * unit, drawing.shown(shape.label_color, readable));
}

function drawCells({ pen, put, at }: Drawing, { grid, fill }: MarineShape): void {
  if (!grid) return;
  const half = grid.cell_size / 2;
  const side = grid.cell_size * at.scale;
  pen.globalAlpha = fill;
  grid.cells.forEach(([x, y], i) => {
    pen.fillStyle = valueColor(grid.values[i] ?? 0, grid.least, grid.most);
    const [left, top] = put(x - half, y + half);
    pen.fillRect(left, top, side, side);
  });
  pen.globalAlpha = 1;
}

function drawVertices({ pen, put, shown, unit }: Drawing, shape: MarineShape): void {
  if (!shape.vertex_color || shape.vertex_size <= 0 || shape.kind === 'marker') return;
  pen.fillStyle = shown(shape.vertex_color);
  for (const [x, y] of shape.points) {
    pen.beginPath();
    pen.arc(...put(x, y), Math.max(1.5, shape.vertex_size / 2) * unit, 0, 2 * Math.PI);
    pen.fill();
  }
}

function drawMarker(drawing: Drawing, shape: MarineShape, left: number, top: number): void {
  const { pen, at, unit } = drawing;
  const half = Math.max(5 * unit, (shape.width * at.scale) / 2);
  const corners: Record<string, number> = { diamond: 4, gateway: 4, square: 4, efield: 5, triangle: 3 };
  const count = corners[shape.marker];
  pen.beginPath();
  if (count === undefined) {
    pen.arc(left, top, half, 0, 2 * Math.PI);
  } else {
    const turn = shape.marker === 'square' ? Math.PI / 4 : 0;
    for (let i = 0; i < count; ++i) {
      const angle = turn + (2 * Math.PI * i) / count;
      pen[i === 0 ? 'moveTo' : 'lineTo'](left + half * Math.sin(angle), top - half * Math.cos(angle));
    }
    pen.closePath();
  }
  paint(drawing, { ...shape, edge_color: shape.edge_color || '#000000' }, 1);
  if (!shape.vertex_color) return;
  pen.beginPath();
  pen.arc(left, top, half / 3, 0, 2 * Math.PI);
  pen.fillStyle = shape.vertex_color;
  pen.fill();
}

function drawLines(drawing: Drawing, shape: MarineShape, left: number, top: number): void {
  const { pen } = drawing;
  const font = pen.font;
  pen.font = font.replace(/^\d+px/, `${Math.max(10, shape.font_size * 1.2)}px`);
  shape.lines.forEach((line, i) => write(drawing, line, left, top + i * shape.font_size * 1.5, drawing.shown(shape.label_color, readable)));
  pen.font = font;
}

/** Writes a text with a rim in the color of the water or the image, so that lines below it do not touch it. */
function write({ pen, color }: Drawing, text: string, left: number, top: number, ink: string): void {
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.lineWidth = 3;
  pen.strokeStyle = color('sea');
  pen.strokeText(text, left, top);
  pen.fillStyle = ink;
  pen.fillText(text, left, top);
}

/** The color of a vehicle; gray if its report is stale or nothing new comes. */
function vesselColor({ look, color }: Drawing, vessel: Vessel): string {
  if (!look.connected || isStale(vessel, look.now, look.config.stale_after)) return color('dim');
  const { active_color: active, inactive_color: inactive } = look.config;
  const configured = vessel.report.name === look.picked ? active : inactive;
  return vessel.report.color || configured || color('accent');
}

function drawTrail(drawing: Drawing, vessel: Vessel): void {
  const { pen, put, unit } = drawing;
  const { trail } = vessel;
  if (trail.length < 2) return;
  pen.strokeStyle = drawing.shown(vesselColor(drawing, vessel));
  pen.lineWidth = 2 * unit;
  // The tail fades, in a few steps.
  const steps = 8;
  for (let i = 0; i < steps; ++i) {
    const [from, to] = [Math.floor((trail.length - 1) * (i / steps)), Math.floor((trail.length - 1) * ((i + 1) / steps))];
    pen.globalAlpha = 0.15 + (0.6 * (i + 1)) / steps;
    pen.beginPath();
    trail.slice(from, to + 1).forEach(([x, y], n) => (n === 0 ? pen.moveTo(...put(x, y)) : pen.lineTo(...put(x, y))));
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

/** Outlines of vehicles in parts of their length, bow up; x to starboard. */
const outlines: Record<string, [number, number][]> = {
  kayak: [[0, 0.5], [0.16, 0.2], [0.16, -0.25], [0, -0.5], [-0.16, -0.25], [-0.16, 0.2]],
  ship: [[0, 0.5], [0.18, 0.25], [0.18, -0.42], [0.12, -0.5], [-0.12, -0.5], [-0.18, -0.42], [-0.18, 0.25]],
  auv: [[0, 0.5], [0.1, 0.4], [0.1, -0.3], [0.2, -0.5], [-0.2, -0.5], [-0.1, -0.3], [-0.1, 0.4]],
  glider: [[0, 0.5], [0.08, 0.1], [0.4, -0.15], [0.08, -0.05], [0.08, -0.5], [-0.08, -0.5], [-0.08, -0.05], [-0.4, -0.15], [-0.08, 0.1]],
};

function outlineOf(type: string): [number, number][] {
  const same: Record<string, string> = { uuv: 'auv', heron: 'kayak', mokai: 'kayak', wamv: 'ship' };
  return outlines[same[type] ?? type] ?? outlines.ship ?? [];
}

function drawVessel(drawing: Drawing, vessel: Vessel): void {
  const { pen, put, at, look, unit, color } = drawing;
  const { report } = vessel;
  const [left, top] = put(report.x, report.y);
  const length = Math.max(26 * unit, report.length * at.scale);
  const fill = vesselColor(drawing, vessel);
  if (report.name === look.picked) {
    pen.strokeStyle = color('accent');
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(left, top, length * 0.75, 0, 2 * Math.PI);
    pen.stroke();
  }
  pen.save();
  pen.translate(left, top);
  if (report.heading !== null) {
    pen.rotate((report.heading * Math.PI) / 180);
    pen.beginPath();
    outlineOf(report.type).forEach(([x, y], i) => pen[i === 0 ? 'moveTo' : 'lineTo'](x * length, -y * length));
    pen.closePath();
  } else {
    pen.beginPath();
    pen.arc(0, 0, length / 4, 0, 2 * Math.PI);
  }
  pen.fillStyle = fill;
  pen.fill();
  pen.strokeStyle = color('ink');
  pen.lineWidth = 1.5;
  pen.stroke();
  pen.restore();
  const name = nameOf(vessel, look.config.names);
  if (name) write(drawing, name, left + length * 0.4 + 6, top, color('ink'));
}

function nameOf({ report }: Vessel, mode: string): string {
  if (mode === 'off') return '';
  if (mode === 'names+depth' && report.depth !== null) return `${report.name} (${report.depth.toFixed(1)} m)`;
  if (mode === 'names+mode') return `${report.name} (${report.mode})`;
  if (mode === 'names+shortmode') return `${report.name} (${report.mode.split(':').at(-1)?.split('@').at(-1) ?? ''})`;
  return report.name;
}
