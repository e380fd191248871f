// Fences as callers, maps and a CSV file have them.
import type { Fence, ShownFence } from '../../../shared/protocol/api/fences/fences.ts';
import { shapeOf } from '../../fences/acts/fenceChecks.ts';
import type { StoredFence } from '../../store/fences/fences.ts';
import { type CsvRow, csvTimestamp } from '../kernel/lists/csv.ts';
import { wktOf } from './export/wkt.ts';

export function toFence({ id, version, content, changedAtMs, changedBy }: StoredFence): Fence {
  return { id, version, ...content, changedAtMs, changedBy };
}

export function toShownFence({ id, content }: StoredFence): ShownFence {
  return { id, name: content.name, ...shapeOf(content), color: content.color };
}

export function isInForce({ content }: StoredFence, atMs: number): boolean {
  const { enabled, validFromMs, validToMs } = content;
  return enabled && validFromMs <= atMs && (validToMs === 0 || atMs < validToMs);
}

/** The first ones are those that an import reads. */
export const FENCE_CSV_COLUMNS = [
  'name',
  'kind',
  'wkt',
  'radius',
  'width',
  'color',
  'enabled',
  'device groups',
  'devices',
  'valid from',
  'valid to',
  'changed',
  'changed by',
] as const;

export function fenceCells(fence: Fence): CsvRow {
  return [
    fence.name,
    fence.kind,
    wktOf(fence.geometry),
    fence.radiusMeters,
    fence.widthMeters,
    fence.color,
    fence.enabled ? 'yes' : 'no',
    fence.deviceGroups.join(' '),
    fence.devices.join(' '),
    csvTimestamp(fence.validFromMs),
    csvTimestamp(fence.validToMs),
    csvTimestamp(fence.changedAtMs),
    fence.changedBy,
  ];
}
