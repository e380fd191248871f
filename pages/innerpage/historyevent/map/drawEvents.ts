// Draws marks of events: a shape by severity, a count for several.
import type { Severity } from '../../../../shared/protocol/events/eventWords.ts';
import type { SeverityColors } from '../../../../shared/ui/events/severityColors.ts';
import { clusterRadius } from '../../../../shared/ui/map/drawMarks.ts';
import type { MapScheme } from '../../../../shared/ui/map/mapScheme.ts';
import type { EventMark } from './eventMarks.ts';

/** A mark and its centre in the window, in CSS pixels. */
export interface PlacedEventMark {
  readonly mark: EventMark;
  readonly left: number;
  readonly top: number;
}

export interface EventMapStyle {
  readonly scheme: Pick<MapScheme, 'ring' | 'text' | 'halo'>;
  readonly severities: Readonly<Record<Severity, SeverityColors>>;
  readonly font: string;
}

const RADIUS = 10;
const SELECTED_RADIUS = 14;
/** Corners of the shape: severities differ by more than their hue. 0: round. */
const CORNERS: Readonly<Record<Severity, number>> = { critical: 3, major: 4, minor: 6, info: 0 };

/** How far from its centre a mark is hit. */
export function reachOf({ points }: EventMark): number {
  return points.length === 1 ? SELECTED_RADIUS + 2 : clusterRadius(points.length) + 3;
}

export function drawEventMark(
  context: CanvasRenderingContext2D,
  { mark, left, top }: PlacedEventMark,
  { scheme, severities, font, isSelected }: EventMapStyle & { readonly isSelected: boolean },
): void {
  const { accent } = severities[mark.severity];
  context.save();
  context.translate(left, top);
  if (isSelected) drawRing(context, scheme.ring);
  if (mark.points.length > 1) drawCount(context, mark.points.length, { colours: severities[mark.severity], font });
  else drawShape(context, CORNERS[mark.severity], { radius: isSelected ? SELECTED_RADIUS : RADIUS, colour: accent });
  context.restore();
}

function drawShape(
  context: CanvasRenderingContext2D,
  corners: number,
  { radius, colour }: { readonly radius: number; readonly colour: string },
): void {
  context.beginPath();
  if (corners === 0) context.arc(0, 0, radius, 0, 2 * Math.PI);
  for (let corner = 0; corner < corners; corner++) {
    const angle = (2 * Math.PI * corner) / corners - Math.PI / 2;
    context.lineTo(radius * Math.cos(angle), radius * Math.sin(angle));
  }
  context.closePath();
  context.lineJoin = 'round';
  context.lineWidth = 4;
  context.strokeStyle = '#ffffff';
  context.stroke();
  context.fillStyle = colour;
  context.fill();
}

function drawCount(
  context: CanvasRenderingContext2D,
  count: number,
  { colours, font }: { readonly colours: SeverityColors; readonly font: string },
): void {
  context.beginPath();
  context.arc(0, 0, clusterRadius(count), 0, 2 * Math.PI);
  context.fillStyle = colours.background;
  context.fill();
  context.lineWidth = 3;
  context.strokeStyle = colours.accent;
  context.stroke();
  context.fillStyle = colours.text;
  context.font = `650 13px ${font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(String(count), 0, 1);
}

function drawRing(context: CanvasRenderingContext2D, colour: string): void {
  context.beginPath();
  context.arc(0, 0, SELECTED_RADIUS + 7, 0, 2 * Math.PI);
  context.fillStyle = `${colour}38`;
  context.fill();
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.stroke();
}
