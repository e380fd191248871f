// The live updates of a page (docs/contract.md): JSON text messages on one WebSocket, at most one a second.

export const LIVE_UPDATES_PATH = '/api/live/updates';

export type LiveTopic = 'devices' | 'counts' | 'changed';

export type DevicePresence = 'online' | 'offline' | 'never';

/** A device as lists and maps show it. */
export interface LiveDevice {
  /** The `deviceid` of links. */
  readonly id: string;
  readonly name: string;
  readonly plate: string;
  /** Serial number of its device group; 0 for none. */
  readonly group: number;
  readonly state: DevicePresence;
  readonly isMoving: boolean;
  readonly inAlarm: boolean;
  readonly videoLoss: boolean;
  /** When it was last heard of, milliseconds since the epoch; 0 for never. */
  readonly at: number;
  /** Degrees; null until a position is known. */
  readonly lat: number | null;
  readonly lng: number | null;
  readonly speedKmh: number;
  /** Degrees from north, clockwise. */
  readonly heading: number;
}

export type LiveCounts = Readonly<Record<string, number>>;

/** Kinds of records that people edit; a table reloads when its own was. */
export type RecordKind = 'device' | 'devicegroup' | 'member' | 'membergroup' | 'role' | 'link' | 'audit';

export type LiveServerMessage =
  /** First on every connection: all that there is. */
  | { readonly type: 'snapshot'; readonly devices: readonly LiveDevice[]; readonly counts?: LiveCounts }
  /** Only what changed; rows are whole. */
  | {
      readonly type: 'changes';
      readonly devices?: readonly LiveDevice[];
      readonly removed?: readonly string[];
      readonly counts?: LiveCounts;
    }
  /** Records were edited by anybody; the kinds of them. */
  | { readonly type: 'changed'; readonly records: readonly string[] }
  /** Says that the line stands. A gateway that sends one sends the next within `ALIVE_EVERY_MS`. */
  | { readonly type: 'alive' };

export const ALIVE_EVERY_MS = 15_000;

export interface LiveClientMessage {
  readonly type: 'watch';
  readonly topics: readonly LiveTopic[];
}
