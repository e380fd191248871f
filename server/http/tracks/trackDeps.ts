import type { WallMs } from '../../../shared/protocol/time.ts';
import type { DeviceOwners } from '../../limits/deviceOwners.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { RecordedIndex } from '../../recording/recordedIndex.ts';
import type { Stores } from '../../store/stores.ts';
import type { TrackReader } from '../../tracks/trackReader.ts';
import { Refused } from '../kernel/envelope.ts';

export interface TrackRoutesDeps {
  readonly stores: Pick<Stores, 'positions' | 'trackSummary' | 'eventList'>;
  readonly trackReader: TrackReader;
  readonly owners: DeviceOwners;
  readonly recorded: Pick<RecordedIndex, 'ranges'>;
  /** Limit of the speeding rule that applies to the device; undefined for none. */
  readonly speedLimitOf: (deviceId: string) => number | undefined;
  /** The names of a member group's geofences that a place lies in; '' for none. */
  readonly placesOf: (memberGroup: number) => Promise<(lat: number, lng: number) => string>;
  /** The folder of the translation files. */
  readonly localesRoot: string;
  readonly onLimit: OnLimit;
  readonly now: () => WallMs;
}

/** Every user has the page. */
export const SIGNED_IN = { access: { kind: 'signed-in' } } as const;

export const BAD_SPAN = {
  ...Refused.badRequest,
  code: 'bad-track-span',
  message: 'Select a range that ends after it begins, at most 31 days long.',
} as const;

export const TOO_MANY = {
  status: 429,
  code: 'too-many-tracks',
  message: 'Too many tracks are being loaded. Wait a moment and try again.',
} as const;
