// How the limits of what terminals report are reached, while the database takes nothing.
import { expect } from 'vitest';
import {
  decodeBody,
  encodeBody,
  type MessageBody,
  messageIdOf,
} from '../../../../server/device/jt808/codec/message.ts';
import {
  DEVICE_POSITIONS_LIMIT,
  HELD_POSITIONS_LIMIT,
  PositionBuffer,
} from '../../../../server/device/positionBuffer.ts';
import { DeviceRegistry } from '../../../../server/device/registry.ts';
import { ReportFeed } from '../../../../server/device/reportFeed.ts';
import {
  BULK_ITEMS_LIMIT,
  BULK_POSITIONS_LIMIT,
  handleReport,
  POSITION_ITEMS_LIMIT,
  type ReportDeps,
} from '../../../../server/device/reports.ts';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import type { Position } from '../../../../server/store/fleet/positions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { POSITION } from '../../../unit/server/device/jt808/fakeTerminal.ts';
import type { LimitCase } from '../describeLimits.ts';
import { times } from '../manyOf.ts';
import { failNever } from './terminalScene.ts';

const AT = wallMs(1_795_000_000_000);

const position = (deviceId: string, incarnation = 1): Position => ({
  deviceId,
  incarnation,
  deviceTimeMs: AT,
  receivedAtMs: AT,
  latitude: 0,
  longitude: 0,
  altitudeM: 0,
  speedKmh: 0,
  headingDeg: 0,
  alarmBits: 0,
  statusBits: 0,
  extra: {},
});

/** What it held is written when it is closed. */
function openBuffer(onLimit: OnLimit) {
  const written: Position[] = [];
  const buffer = new PositionBuffer({
    store: { append: async (positions) => void written.push(...positions) },
    devices: { findByDeviceId: async () => undefined },
    runAfter: () => () => undefined,
    onFault: failNever,
    onLimit,
  });
  return { buffer, written };
}

const AT_2026 = wallMs(Date.UTC(2026, 0, 1));

/** Reports go in as they come from the wire. */
function openReports(onLimit: OnLimit) {
  const { buffer, written } = openBuffer(onLimit);
  const deps: ReportDeps = {
    registry: new DeviceRegistry(() => AT),
    positions: buffer,
    feed: new ReportFeed(failNever),
    now: () => AT,
    nextTurn: () => Promise.resolve(),
    onLimit,
  };
  const session = { deviceId: 'D1', incarnation: 1, archiveNumber: 1, edition: '2019' } as const;
  const report = async (body: MessageBody): Promise<boolean> => {
    const read = decodeBody(messageIdOf(body), '2019', encodeBody(body, '2019'));
    return read.ok && handleReport(session, read.body, deps);
  };
  return { buffer, written, report };
}

const withItems = (count: number) => ({
  ...POSITION,
  time: AT_2026,
  items: Array.from({ length: count }, () => ({ id: 0xe0, value: new Uint8Array(0) })),
});

const bulk = (count: number, items: number): MessageBody => ({
  kind: 'bulkPositions',
  type: 1,
  positions: Array.from({ length: count }, () => withItems(items)),
  brokenItems: 0,
});

/** A message beyond the limit is answered with a failure, and nothing of it is kept. */
function bulkCase(limit: LimitCase['limit'], { most, itemsEach }: { most: number; itemsEach: number }): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const { buffer, written, report } = openReports(onLimit);
      return {
        upTo: async () => expect(await report(bulk(most, itemsEach))).toBe(true),
        beyond: async () => {
          expect(await report(bulk(most + 1, itemsEach))).toBe(false);
          await buffer.close();
          expect(written).toHaveLength(most);
        },
      };
    },
  };
}

export const terminalReportCases: readonly LimitCase[] = [
  bulkCase(BULK_POSITIONS_LIMIT, { most: BULK_POSITIONS_LIMIT.max, itemsEach: 0 }),
  bulkCase(BULK_ITEMS_LIMIT, { most: BULK_ITEMS_LIMIT.max / 200, itemsEach: 200 }),
  {
    limit: POSITION_ITEMS_LIMIT,
    open: (onLimit) => {
      const { max } = POSITION_ITEMS_LIMIT;
      const { buffer, written, report } = openReports(onLimit);
      return {
        upTo: async () => expect(await report(withItems(max))).toBe(true),
        beyond: async () => {
          expect(await report(withItems(max + 1))).toBe(true);
          await buffer.close();
          expect(written).toHaveLength(2);
        },
      };
    },
  },
  {
    limit: HELD_POSITIONS_LIMIT,
    open: (onLimit) => {
      const { max } = HELD_POSITIONS_LIMIT;
      const { buffer, written } = openBuffer(onLimit);
      const devices = Array.from({ length: 20 }, (_, device) => position(`D${device}`));
      return {
        upTo: () => {
          times(max / devices.length, () => {
            for (const each of devices) expect(buffer.add([each])).toBe(true);
          });
        },
        beyond: async () => {
          expect(buffer.add([position('newest')])).toBe(false);
          await buffer.close();
          expect(written).toHaveLength(max);
          expect(written.some(({ deviceId }) => deviceId === 'newest')).toBe(false);
        },
      };
    },
  },
  {
    limit: DEVICE_POSITIONS_LIMIT,
    open: (onLimit) => {
      const { max } = DEVICE_POSITIONS_LIMIT;
      const { buffer, written } = openBuffer(onLimit);
      return {
        upTo: () => times(max, () => expect(buffer.add([position('D1')])).toBe(true)),
        beyond: async () => {
          expect(buffer.add([position('D1')])).toBe(false);
          expect(buffer.add([position('D2')])).toBe(true);
          await buffer.close();
          const of = (device: string): number => written.filter(({ deviceId }) => deviceId === device).length;
          expect([of('D1'), of('D2')]).toEqual([max, 1]);
        },
      };
    },
  },
];
