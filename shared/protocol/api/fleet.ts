// The dashboard's calls (docs/contract.md). Times are milliseconds since the epoch, 0 for none.
import * as Type from 'typebox/type';
import { PLAN_VIDEO } from '../netflow/netflowWords.ts';
import type { FleetCounts } from './liveUpdates.ts';
import { Count, closed, Nullable, OneOf, type RecordOf, ShortText, Text, Timestamp } from './records.ts';

/** 0 to 1. */
const Share = Type.Number();
const Bytes = Type.Number();
const Days = Type.Number();

/** The same counts as in the live updates, whose messages come every second and are read without a schema. */
const Counts = Type.Object({
  total: Count,
  online: Count,
  offline: Count,
  moving: Count,
  parked: Count,
  alarm: Count,
  never: Count,
  videoLoss: Count,
} satisfies Record<keyof FleetCounts, typeof Count>);

export const OnlineRate = Type.Object({
  /** Over the whole span; null while nothing was measured in it. */
  rate: Nullable(Share),
  /** The share of the devices that were online. Steps without a measurement have no point. */
  points: Type.Array(Type.Object({ atMs: Timestamp, rate: Share })),
  stepMs: Type.Integer(),
});
export type OnlineRate = RecordOf<typeof OnlineRate>;

export const EventCount = Type.Object({
  /** Code of the event type. */
  type: Text,
  count: Count,
});
export type EventCount = RecordOf<typeof EventCount>;

/** The devices behind a type of event. */
export const EventDevices = Type.Array(Type.Object({ deviceid: Text, count: Count }));

export const BusyDevice = Type.Object({ deviceid: Text, name: Text, plate: Text, count: Count });
export type BusyDevice = RecordOf<typeof BusyDevice>;

export const DashboardFigures = Type.Object({
  atMs: Timestamp,
  counts: Counts,
  onlineDay: OnlineRate,
  onlineMonth: OnlineRate,
  /** Events that began in the last 24 hours, by type and by device. */
  events: Type.Array(EventCount),
  busiest: Type.Array(BusyDevice),
});
export type DashboardFigures = RecordOf<typeof DashboardFigures>;

const DISK_STATES = ['ok', 'low', 'full', 'gone', 'failing', 'read-only'] as const;

export const SystemFigures = Type.Object({
  version: Text,
  disk: Type.Object({
    state: OneOf(DISK_STATES),
    freeBytes: Bytes,
    totalBytes: Bytes,
    recordedBytes: Bytes,
    /** Average over the last 24 hours, or over as long as there are recordings. */
    bytesPerDay: Bytes,
    /** Days of recordings that fit at that rate; null when nothing is recorded. */
    daysOfRoom: Nullable(Days),
    /** Days until the oldest recordings are overwritten; null likewise. */
    daysUntilFull: Nullable(Days),
  }),
  cpu: Type.Object({
    /** Share of all cores. */
    machineShare: Share,
    gatewayShare: Share,
    cores: Type.Integer(),
  }),
  memory: Type.Object({ gatewayBytes: Bytes, machineUsedBytes: Bytes, machineTotalBytes: Bytes }),
  /** Live video. */
  relay: Type.Object({ inBytesPerSecond: Bytes, outBytesPerSecond: Bytes, channels: Count, viewers: Count }),
  licence: Type.Object({
    /** 0: not limited. */
    devices: Count,
    usedDevices: Count,
    /** 0: never. */
    expiresAtMs: Timestamp,
  }),
});
export type SystemFigures = RecordOf<typeof SystemFigures>;

/** The source of the map's background. If both addresses are set, the style's counts; '' for none. */
export const MapSource = Type.Object({
  styleUrl: Text,
  /** Path of a PMTiles file on this site, which is read in ranges. */
  pmtilesUrl: Text,
  attribution: Text,
});
export type MapSource = RecordOf<typeof MapSource>;

export const DeviceDetails = Type.Object({
  deviceid: Text,
  name: Text,
  plate: Text,
  chn: Count,
  /** One character a channel, as in the calls of the video pages. */
  installchs: Text,
  livechs: Text,
  ptzchs: Text,
  talkchs: Text,
  /** How much of the device's video its data plan allows. */
  planVideo: Type.Optional(OneOf(PLAN_VIDEO, 'all')),
});
export type DeviceDetails = RecordOf<typeof DeviceDetails>;

export const MAX_WALL_CHANNELS = 8;
export const MAX_WALL_NAME = 64;
/** One line that does not consist of blanks alone. */
const WALL_NAME_FORM = '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$';

export const WallChannel = Type.Object(
  {
    deviceid: ShortText,
    /** From 1. */
    channel: Type.Integer({ minimum: 1, maximum: 255 }),
  },
  closed,
);
export type WallChannel = RecordOf<typeof WallChannel>;

export const Wall = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: MAX_WALL_NAME, pattern: WALL_NAME_FORM }),
    channels: Type.Array(WallChannel, { minItems: 1, maxItems: MAX_WALL_CHANNELS }),
    /** Seconds until the next wall is shown, when walls are shown in turn; 0: it is left out of the turn. */
    cycleSeconds: Type.Integer({ minimum: 0, maximum: 3600 }),
  },
  closed,
);
export type Wall = RecordOf<typeof Wall>;
export const Walls = Type.Array(Wall);

export const WallName = Type.Object({ name: Text });
