// What tracks are drawn and counted from: columns of positions, however they are kept.
import type { TrackColumns, TrackField } from '../store/fleet/positionColumns.ts';
import type { PositionStore } from '../store/fleet/positions.ts';

export type { TrackColumns, TrackField };
export type TrackReading = Pick<PositionStore, 'columns'>;
/** By the device's clock, half open. */
export interface DeviceSpan {
  readonly fromMs: number;
  readonly toMs: number;
}
