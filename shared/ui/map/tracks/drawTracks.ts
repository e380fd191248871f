// Draws driven lines, stops, pins and vehicles.
import type { MapScheme } from '../mapScheme.ts';
import type { WindowPoint } from './mapWindow.ts';
import type { SpeedColors } from './speedColors.ts';
import type { TrackArrow, TrackRuns } from './trackRuns.ts';

export interface TrackStyle {
  readonly scheme: Pick<MapScheme, 'text' | 'halo'>;
  readonly speeds: SpeedColors;
  readonly font: string;
}

const LINE_PIXELS = 4;
const HALO_PIXELS = 7.5;

/** `color`: of the whole line; undefined for one colored by speed. */
export function drawRuns(
  context: CanvasRenderingContext2D,
  { runs, gaps, arrows }: TrackRuns,
  { style, color }: { readonly style: TrackStyle; readonly color: string | undefined },
): void {
  context.save();
  context.lineJoin = 'round';
  context.lineCap = 'round';
  for (const { points } of runs) stroke(context, points, { color: style.scheme.halo, width: HALO_PIXELS });
  for (const { points, band } of runs) {
    stroke(context, points, { color: color ?? style.speeds[band] ?? style.speeds[0], width: LINE_PIXELS });
  }
  context.setLineDash([2, 8]);
  for (const gap of gaps) stroke(context, gap, { color: color ?? style.scheme.text, width: 2.5 });
  context.restore();
  for (const arrow of arrows) drawArrow(context, arrow, style);
}

function drawArrow(context: CanvasRenderingContext2D, { left, top, angle }: TrackArrow, { scheme }: TrackStyle): void {
  context.save();
  context.translate(left, top);
  context.rotate(angle);
  context.beginPath();
  context.moveTo(0, -5);
  context.lineTo(4.5, 4);
  context.lineTo(0, 2);
  context.lineTo(-4.5, 4);
  context.closePath();
  context.lineWidth = 2.5;
  context.strokeStyle = scheme.halo;
  context.stroke();
  context.fillStyle = scheme.text;
  context.fill();
  context.restore();
}

/** A numbered disc. */
export function drawStop(
  context: CanvasRenderingContext2D,
  { left, top }: WindowPoint,
  { label, style }: { readonly label: string; readonly style: TrackStyle },
): void {
  context.beginPath();
  context.arc(left, top, STOP_RADIUS, 0, 2 * Math.PI);
  context.fillStyle = style.scheme.text;
  context.fill();
  context.lineWidth = 2;
  context.strokeStyle = style.scheme.halo;
  context.stroke();
  context.fillStyle = style.scheme.halo;
  context.font = `650 ${label.length > 2 ? 9 : 11}px ${style.font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(label, left, top + 0.5);
}

export const STOP_RADIUS = 10;
export const PIN_PIXELS = 24;

/** A drop that stands on its place; a ring in it for one with pictures. */
export function drawPin(
  context: CanvasRenderingContext2D,
  { left, top }: WindowPoint,
  { color, hasPictures, halo }: { readonly color: string; readonly hasPictures: boolean; readonly halo: string },
): void {
  const middle = top - PIN_PIXELS + 8;
  context.beginPath();
  context.moveTo(left, top);
  context.arc(left, middle, 8, Math.PI * 0.8, Math.PI * 0.2);
  context.closePath();
  context.fillStyle = color;
  context.fill();
  context.lineWidth = 2;
  context.strokeStyle = halo;
  context.stroke();
  context.beginPath();
  context.arc(left, middle, hasPictures ? 4 : 2.5, 0, 2 * Math.PI);
  context.fillStyle = halo;
  context.fill();
  if (!hasPictures) return;
  context.beginPath();
  context.arc(left, middle, 2, 0, 2 * Math.PI);
  context.fillStyle = color;
  context.fill();
}

export interface VehicleLook {
  readonly headingDeg: number;
  readonly color: string;
  /** Nothing was reported at the moment that is shown. */
  readonly isSilent: boolean;
  readonly isChosen: boolean;
  /** '' where there is one vehicle only. */
  readonly label: string;
}

export function drawVehicle(
  context: CanvasRenderingContext2D,
  { left, top }: WindowPoint,
  { look, style }: { readonly look: VehicleLook; readonly style: TrackStyle },
): void {
  const size = look.isChosen ? 15 : 11;
  context.save();
  context.translate(left, top);
  context.rotate((look.headingDeg * Math.PI) / 180);
  context.beginPath();
  context.moveTo(0, -size);
  context.lineTo(size * 0.75, size * 0.85);
  context.lineTo(0, size * 0.4);
  context.lineTo(-size * 0.75, size * 0.85);
  context.closePath();
  context.lineJoin = 'round';
  context.lineWidth = 3.5;
  context.strokeStyle = style.scheme.halo;
  context.stroke();
  context.fillStyle = look.isSilent ? style.scheme.halo : look.color;
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = look.color;
  context.stroke();
  context.restore();
  if (look.label !== '') text(context, look.label, { left, top: top + size + 9 }, style);
}

function stroke(
  context: CanvasRenderingContext2D,
  points: readonly WindowPoint[],
  { color, width }: { readonly color: string; readonly width: number },
): void {
  trace(context, points);
  context.lineWidth = width;
  context.strokeStyle = color;
  context.stroke();
}

function trace(context: CanvasRenderingContext2D, points: readonly WindowPoint[]): void {
  context.beginPath();
  for (const { left, top } of points) context.lineTo(left, top);
}

const MAX_TEXT_PIXELS = 160;

function text(
  context: CanvasRenderingContext2D,
  words: string,
  { left, top }: WindowPoint,
  { scheme, font }: TrackStyle,
): void {
  context.font = `600 12px ${font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 3;
  context.strokeStyle = scheme.halo;
  context.strokeText(words, left, top, MAX_TEXT_PIXELS);
  context.fillStyle = scheme.text;
  context.fillText(words, left, top, MAX_TEXT_PIXELS);
}
