// What the gateway's main thread and the thread of tracks say to one another.
import type { TrackLine } from '../../../shared/protocol/api/tracks/track.ts';
import type { ClockStep } from '../../../shared/protocol/tracks/deviceClock.ts';
import type { DatabaseLocation } from '../../store/engine/database.ts';
import type { DamagedBlock } from '../../store/fleet/blocks/damagedBlocks.ts';
import type { TrackSeries } from '../../tracks/chart/readChart.ts';
import type { TrackQuery } from '../../tracks/line/gatewayOrder.ts';
import type { LineOptions } from '../../tracks/line/lineBuilder.ts';

export interface TrackThreadData {
  readonly database: DatabaseLocation;
}

export interface AskedTrack extends Omit<TrackQuery, 'clock'> {
  readonly clockSteps: readonly ClockStep[];
}

export type TrackQuestion =
  | { readonly type: 'line'; readonly track: AskedTrack; readonly options: LineOptions }
  | { readonly type: 'chart'; readonly track: AskedTrack; readonly steps: number };

export interface TrackAnswer {
  readonly track: TrackLine | TrackSeries;
  /** The answer lacks what is in them. */
  readonly damaged: readonly DamagedBlock[];
}
