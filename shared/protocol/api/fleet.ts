// Shapes of the dashboard's calls (docs/contract.md), as both sides see them. Times are milliseconds since the epoch.
import type { DeviceInfo } from '../api.ts';
import type { FleetCounts } from './liveUpdates.ts';

export interface OnlinePoint {
  readonly atMs: number;
  /** Share of the devices that were online, 0 to 1. */
  readonly rate: number;
}

export interface OnlineRate {
  /** Over the whole span; null while nothing was measured in it. */
  readonly rate: number | null;
  /** Where nothing was measured there is no point. */
  readonly points: readonly OnlinePoint[];
  readonly stepMs: number;
}

export interface AlarmCount {
  /** Bit of the alarm word of JT/T 808. */
  readonly alarm: number;
  readonly count: number;
}

export interface BusyDevice {
  readonly deviceid: string;
  readonly name: string;
  readonly plate: string;
  readonly count: number;
}

export interface DashboardFigures {
  readonly atMs: number;
  readonly counts: FleetCounts;
  readonly onlineDay: OnlineRate;
  readonly onlineMonth: OnlineRate;
  /** Alarms that began in the last 24 hours, by kind and by device. */
  readonly alarms: readonly AlarmCount[];
  readonly busiest: readonly BusyDevice[];
}

export type DiskState = 'ok' | 'low' | 'full' | 'gone' | 'read-only';

export interface SystemFigures {
  readonly version: string;
  readonly disk: {
    readonly state: DiskState;
    readonly freeBytes: number;
    readonly totalBytes: number;
    readonly recordedBytes: number;
    /** Of the last 24 hours, or of as long as there are recordings. */
    readonly bytesPerDay: number;
    /** Days of recordings that fit at that rate; null when nothing is recorded. */
    readonly daysOfRoom: number | null;
    /** Days until the oldest make room; null likewise. */
    readonly daysUntilFull: number | null;
  };
  readonly cpu: {
    /** Of all cores, 0 to 1. */
    readonly machineShare: number;
    readonly gatewayShare: number;
    readonly cores: number;
  };
  readonly memory: {
    readonly gatewayBytes: number;
    readonly machineUsedBytes: number;
    readonly machineTotalBytes: number;
  };
  /** Live video. */
  readonly relay: {
    readonly inBytesPerSecond: number;
    readonly outBytesPerSecond: number;
    readonly channels: number;
    readonly viewers: number;
  };
  readonly licence: {
    /** 0: not limited. */
    readonly devices: number;
    readonly usedDevices: number;
    /** 0: never. */
    readonly expiresAtMs: number;
  };
}

/** Where the map's background comes from; '' for the built-in outline. */
/** Where the map's background comes from. Of both addresses the style's counts; '' for none. */
export interface MapSource {
  readonly styleUrl: string;
  /** Path of a PMTiles file on this site, which is read in ranges. */
  readonly pmtilesUrl: string;
  readonly attribution: string;
}

export interface DeviceDetails extends Required<Omit<DeviceInfo, 'exportchs'>> {
  readonly deviceid: string;
  readonly name: string;
  readonly plate: string;
}

export interface WallChannel {
  readonly deviceid: string;
  /** From 1. */
  readonly channel: number;
}

export const MAX_WALL_CHANNELS = 8;
export const MAX_WALL_NAME = 64;

export interface Wall {
  readonly name: string;
  readonly channels: readonly WallChannel[];
  /** Seconds until the next wall is shown, when walls are shown in turn; 0: it is left out of the turn. */
  readonly cycleSeconds: number;
}
