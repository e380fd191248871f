// Draws marks: shapes by state, a count for what stands together, names where there is room.

import { type Mark, type PlacedDevice, urgentState } from './clusters.ts';
import type { MapScheme } from './mapScheme.ts';
import { MARKER_PATHS, type MarkerState } from './markerState.ts';

type MapColours = Pick<MapScheme, 'text' | 'halo' | 'ring' | 'markers'>;

/** A mark and its centre in the window, in CSS pixels. */
export interface PlacedMark {
  readonly mark: Mark;
  readonly left: number;
  readonly top: number;
}

export interface DrawOptions {
  readonly colours: MapColours;
  readonly font: string;
  readonly withNames: boolean;
  readonly selected: string | undefined;
}

const DEVICE_SIZE = 24;
const SELECTED_SIZE = 32;
const BOX = 24;

const shapes = new Map<MarkerState, Path2D>();

function shapeOf(state: MarkerState): Path2D {
  const known = shapes.get(state);
  if (known !== undefined) return known;
  const made = new Path2D(MARKER_PATHS[state]);
  shapes.set(state, made);
  return made;
}

/** Radius in CSS pixels: it grows with the number of digits and a little within them. */
export function clusterRadius(count: number): number {
  return 15 + Math.min(15, Math.log10(count) * 5);
}

export function drawMark(context: CanvasRenderingContext2D, placed: PlacedMark, options: DrawOptions): void {
  const [only] = placed.mark.devices;
  if (placed.mark.devices.length === 1 && only !== undefined) drawDevice(context, only, placed, options);
  else drawCluster(context, placed, options);
}

function drawDevice(
  context: CanvasRenderingContext2D,
  { device, state }: PlacedDevice,
  { left, top }: PlacedMark,
  { colours, font, withNames, selected }: DrawOptions,
): void {
  const isSelected = device.id === selected;
  const size = isSelected ? SELECTED_SIZE : DEVICE_SIZE;
  context.save();
  context.translate(left, top);
  if (isSelected) ring(context, size, colours.ring);
  context.save();
  if (state === 'moving') context.rotate(((device.heading ?? 0) * Math.PI) / 180);
  drawShape(context, state, { size, colours });
  context.restore();
  if (state === 'alarm') sign(context, '!', size);
  if (state === 'alarm' && device.isMoving && device.heading !== null)
    headingTick(context, device.heading, { size, colours });
  if (device.videoLoss) cameraBadge(context, size);
  context.restore();
  if (withNames || isSelected)
    label(context, device.name || device.id, { left, top: top + size / 2 + 3, colours, font });
}

interface ShapeStyle {
  /** CSS pixels. */
  readonly size: number;
  readonly colours: MapColours;
}

function drawShape(context: CanvasRenderingContext2D, state: MarkerState, { size, colours }: ShapeStyle): void {
  const scale = size / BOX;
  context.scale(scale, scale);
  context.translate(-BOX / 2, -BOX / 2);
  context.lineJoin = 'round';
  context.lineWidth = 3;
  context.strokeStyle = '#ffffff';
  context.stroke(shapeOf(state));
  context.fillStyle = colours.markers[state];
  context.fill(shapeOf(state), 'evenodd');
}

function sign(context: CanvasRenderingContext2D, text: string, size: number): void {
  context.fillStyle = '#ffffff';
  context.font = `700 ${size * 0.55}px sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(text, 0, size * 0.14);
}

function headingTick(context: CanvasRenderingContext2D, headingDeg: number, { size, colours }: ShapeStyle): void {
  context.save();
  context.rotate((headingDeg * Math.PI) / 180);
  context.beginPath();
  context.moveTo(0, -size * 0.95);
  context.lineTo(size * 0.2, -size * 0.62);
  context.lineTo(-size * 0.2, -size * 0.62);
  context.closePath();
  context.fillStyle = colours.markers.alarm;
  context.fill();
  context.restore();
}

/** A crossed-out dot at the upper right: a camera is lost. */
function cameraBadge(context: CanvasRenderingContext2D, size: number): void {
  const at = size * 0.42;
  context.beginPath();
  context.arc(at, -at, 5.5, 0, 2 * Math.PI);
  context.fillStyle = '#8a5300';
  context.fill();
  context.strokeStyle = '#ffffff';
  context.lineWidth = 1.5;
  context.stroke();
  context.beginPath();
  context.moveTo(at - 3, -at + 3);
  context.lineTo(at + 3, -at - 3);
  context.stroke();
}

function ring(context: CanvasRenderingContext2D, size: number, colour: string): void {
  context.beginPath();
  context.arc(0, 0, size * 0.78, 0, 2 * Math.PI);
  context.fillStyle = `${colour}38`;
  context.fill();
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.stroke();
}

function drawCluster(
  context: CanvasRenderingContext2D,
  { mark, left, top }: PlacedMark,
  { font, colours }: DrawOptions,
): void {
  const count = mark.devices.length;
  const radius = clusterRadius(count);
  context.beginPath();
  context.arc(left, top, radius, 0, 2 * Math.PI);
  context.fillStyle = '#27313c';
  context.fill();
  context.lineWidth = 5;
  context.strokeStyle = '#ffffff';
  context.stroke();
  shareRing(context, mark, { left, top, radius, markers: colours.markers });
  context.fillStyle = '#ffffff';
  context.font = `650 13px ${font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(countText(count), left, top + 0.5);
  if (urgentState(mark) === 'alarm')
    alarmBadge(context, { left: left + radius * 0.75, top: top - radius * 0.75, colours });
}

interface ClusterPlace {
  readonly left: number;
  readonly top: number;
  readonly radius: number;
  readonly markers: MapColours['markers'];
}

/** Which states stand in the cluster, each with its share of the ring. */
function shareRing(
  context: CanvasRenderingContext2D,
  { states, devices }: Mark,
  { left, top, radius, markers }: ClusterPlace,
): void {
  let from = -Math.PI / 2;
  context.lineWidth = 3.5;
  for (const [state, count] of Object.entries(states) as [MarkerState, number][]) {
    if (count === 0) continue;
    const to = from + (2 * Math.PI * count) / devices.length;
    context.beginPath();
    context.arc(left, top, radius, from, to);
    context.strokeStyle = markers[state];
    context.stroke();
    from = to;
  }
}

interface BadgePlace {
  readonly left: number;
  readonly top: number;
  readonly colours: MapColours;
}

function alarmBadge(context: CanvasRenderingContext2D, { left, top, colours }: BadgePlace): void {
  context.save();
  context.translate(left, top);
  context.save();
  drawShape(context, 'alarm', { size: 16, colours });
  context.restore();
  sign(context, '!', 16);
  context.restore();
}

export function countText(count: number): string {
  return count < 1_000 ? String(count) : `${(count / 1_000).toFixed(count < 10_000 ? 1 : 0)}k`;
}

interface LabelPlace {
  readonly left: number;
  readonly top: number;
  readonly colours: MapColours;
  readonly font: string;
}

const MAX_LABEL_PIXELS = 180;

function label(context: CanvasRenderingContext2D, text: string, { left, top, colours, font }: LabelPlace): void {
  context.font = `600 12px ${font}`;
  context.textAlign = 'center';
  context.textBaseline = 'top';
  context.lineJoin = 'round';
  context.lineWidth = 3;
  context.strokeStyle = colours.halo;
  context.strokeText(text, left, top, MAX_LABEL_PIXELS);
  context.fillStyle = colours.text;
  context.fillText(text, left, top, MAX_LABEL_PIXELS);
}
