// Reports of terminals as the feed has them, and what stays open after a row of observations.
import type { Edition } from '../../../../../server/device/jt808/codec/codes.ts';
import type { PositionItem } from '../../../../../server/device/jt808/codec/messages/position.ts';
import { positionDetails } from '../../../../../server/device/jt808/codec/positionItems.ts';
import type { MessageReport, PositionReport } from '../../../../../server/device/reportFeed.ts';
import type { Observation } from '../../../../../server/events/signals/signal.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { ofHex } from '../../device/jt808/codec/vectors.ts';

export const DEVICE = { deviceId: 'BUS1', incarnation: 7, archiveNumber: 1 };
export const DEVICE_TIME_MS = 1_000;
export const RECEIVED_AT_MS = 9_000;

export interface ReportOptions {
  readonly alarm?: number;
  readonly edition?: Edition;
  readonly items?: readonly PositionItem[];
  readonly speedKmh?: number;
  readonly isLive?: boolean;
}

export function positionReport(options: ReportOptions = {}): PositionReport {
  const { alarm = 0, edition = '2019', items = [], speedKmh = 0, isLive = true } = options;
  const position = {
    ...DEVICE,
    deviceTimeMs: wallMs(DEVICE_TIME_MS),
    receivedAtMs: wallMs(RECEIVED_AT_MS),
    latitude: 23.5,
    longitude: 120.5,
    altitudeM: 10,
    speedKmh,
    headingDeg: 0,
    alarmBits: alarm,
    statusBits: 3,
    extra: {},
  };
  return { kind: 'position', device: DEVICE, edition, position, items, details: positionDetails(items), isLive };
}

export function messageReport(body: MessageReport['body']): MessageReport {
  return { kind: 'message', device: DEVICE, body, receivedAtMs: RECEIVED_AT_MS };
}

/** An additional item, its value in hex. */
export function item(id: number, hex: string): PositionItem {
  return { id, value: ofHex(hex) };
}

/** Bits of a word. */
export function bits(...numbers: readonly number[]): number {
  return numbers.reduce((word, number) => (word | (1 << number)) >>> 0, 0);
}

/** `type` or `type unit` of what is still signalled after the last observation, as signal.ts defines it. */
export function openAfter(observations: readonly (Observation | undefined)[]): string[] {
  const open = new Map<string, number>();
  for (const { covered, signals } of observations.filter((each) => each !== undefined)) {
    for (const [key, origins] of open) open.set(key, origins & ~covered);
    for (const { type, unit, form, origin } of signals) {
      const key = unit === 0 ? type : `${type} ${unit}`;
      const origins = open.get(key) ?? 0;
      if (form === 'held' || form === 'begin') open.set(key, origins | origin);
      if (form === 'end') open.set(key, origins & ~origin);
    }
  }
  return [...open].filter(([, origins]) => origins !== 0).map(([key]) => key);
}
