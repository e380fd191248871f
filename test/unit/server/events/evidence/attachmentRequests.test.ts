import { beforeEach, describe, expect, it } from 'vitest';
import { createAlarmMark } from '../../../../../server/device/jt808/codec/alarmMark.ts';
import type { CommandResult } from '../../../../../server/device/terminalSession.ts';
import {
  AttachmentRequests,
  type AttachmentTerminal,
  REQUESTS_LIMIT,
  WAITING_REQUESTS_LIMIT,
} from '../../../../../server/events/evidence/attachmentRequests.ts';
import type { DeviceOwners } from '../../../../../server/limits/deviceOwners.ts';
import type { AttachmentRequestRow } from '../../../../../server/store/events/attachmentRequests.ts';
import type { NewEventMedia, StoredEventMedia } from '../../../../../server/store/events/eventMediaRows.ts';
import type { MissedEvent } from '../../../../../server/store/events/missedEvidence.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { newTrackedEvent } from '../../../../support/newTrackedEvent.ts';
import { settled } from '../../device/jt808/fakeTerminal.ts';

const DEVICE = { deviceId: 'BUS1', incarnation: 1, archiveNumber: 4 };
const EVENT_ID = 9;
const MINUTE_MS = 60_000;
const START_MS = 1_795_000_002_000;
/** A member group has a thousand devices here. */
const OWNERS_BY_THOUSAND: DeviceOwners = {
  ofDevice: () => 0,
  ofArchive: (archiveNumber) => Math.floor(archiveNumber / 1_000),
  count: 2,
};

let timers: ManualTimers;
let numbers: string[];
let open: Set<string>;
let isHere: boolean;
let answer: () => Promise<CommandResult>;
let rows: StoredEventMedia[];
let missed: MissedEvent[];
let earlier: AttachmentRequestRow[];
let faults: string[];
let setState: () => Promise<void>;
let requests: AttachmentRequests;

beforeEach(() => {
  timers = new ManualTimers();
  [numbers, open, isHere, rows, missed, earlier, faults] = [[], new Set(), true, [], [], [], []];
  answer = async () => ({ ok: true });
  setState = async () => undefined;
  const session = {
    archiveNumber: 4,
    localAddress: '127.0.0.1',
    command: (body: { readonly alarmNumber: string }) => {
      numbers.push(body.alarmNumber);
      return answer();
    },
  } as unknown as AttachmentTerminal;
  requests = new AttachmentRequests({
    requests: {
      add: async ({ alarmNumber }) => void open.add(alarmNumber),
      open: async () => earlier,
      setSent: async () => undefined,
      setDone: async (alarmNumber) => void open.delete(alarmNumber),
      removeBefore: async () => 0,
    },
    missedEvidence: { attachments: async () => missed },
    storage: { open: async () => undefined, remove: async () => undefined },
    media: {
      ofEvent: async () => [...rows],
      add: async (added: readonly NewEventMedia[]) => {
        const first = rows.length + 1;
        rows.push(...added.map((row, at) => ({ ...row, id: first + at })));
        return added.map((_, at) => first + at);
      },
      remove: async (id) => {
        rows = rows.filter((row) => row.id !== id);
      },
      setState: async (ids, state) => {
        await setState();
        rows = rows.map((row) => (ids.includes(row.id) ? { ...row, state } : row));
      },
      setStored: async () => true,
    },
    areWanted: () => true,
    owners: OWNERS_BY_THOUSAND,
    onMedia: () => undefined,
    sessionOf: () => (isHere ? session : undefined),
    now: () => timers.now() + START_MS,
    runAfter: timers.runAfter,
    onFault: ({ message }) => faults.push(message),
    onLimit: () => undefined,
  });
  requests.listening(() => ({ host: '127.0.0.1', port: 7090 }));
});

function markOf(serial: number): string {
  const mark = createAlarmMark({ terminalId: 'T', time: undefined, serial, fileCount: 1 });
  return Buffer.from(mark.bytes).toString('hex');
}

async function begin(serial = 1): Promise<void> {
  const event = { ...newTrackedEvent({ device: DEVICE, alarmMark: markOf(serial) }), id: EVENT_ID };
  requests.eventsStored([{ kind: 'begun', event }]);
  await settled();
}

async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    timers.advance(MINUTE_MS);
    await settled();
  }
}

const states = (): string[] => rows.map(({ name, state }) => `${name}:${state}`);
const upload = (names: readonly string[]) =>
  requests.begin(
    { ...DEVICE, alarmNumber: numbers[0] ?? '' },
    names.map((name) => ({ name, sizeBytes: 3 })),
  );

describe('files of an alarm', () => {
  it('are named as requested until their list comes', async () => {
    await begin();
    expect(states()).toEqual([':requested']);
    await upload(['a.jpg', 'b.bin']);
    expect(states()).toEqual(['a.jpg:receiving', 'b.bin:receiving']);
  });

  it('are failed where the terminal refuses', async () => {
    answer = async () => ({ ok: false, reason: 'refused', result: 1 });
    await begin();
    expect([states(), open.size, requests.waitingCount]).toEqual([[':failed'], 0, 0]);
  });

  it('are failed where the terminal agrees three times and never comes; it still may', async () => {
    await begin();
    await pass(29);
    expect([numbers.length, states()]).toEqual([3, [':requested']]);
    await pass(3);
    expect(states()).toEqual([':failed']);
    await pass(60);
    expect([numbers.length, rows.length]).toEqual([3, 1]);
    expect(await upload(['a.jpg'])).toBeDefined();
    expect(states()).toEqual(['a.jpg:receiving']);
  });

  it('are failed a day later where the terminal was never there', async () => {
    isHere = false;
    await begin();
    await pass(24 * 60 - 1);
    expect(states()).toEqual([':requested']);
    await pass(2);
    expect([states(), requests.waitingCount]).toEqual([[':failed'], 0]);
  });

  it('that are not asked for, beyond the limit of an hour, are failed', async () => {
    for (let serial = 0; serial < REQUESTS_LIMIT.max + 1; serial++) await begin(serial);
    expect(states().filter((state) => state === ':failed')).toHaveLength(1);
  });

  it('are asked for after a start where the gateway was killed before it could', async () => {
    missed = [
      {
        ...{ eventId: EVENT_ID, eventBeginAtMs: START_MS - MINUTE_MS, device: DEVICE, archiveId: 'BUS1' },
        ...{ type: 'adas-forward-collision', unit: 0, alarmMark: markOf(1) },
      },
    ];
    await requests.start();
    expect([states(), numbers.length]).toEqual([[':requested'], 1]);
  });

  it('are asked for again each minute, and not given up, while there is no place for them', async () => {
    await begin();
    for (let minute = 0; minute < 20; minute += 2) {
      requests.busy({ alarmNumber: numbers[0] ?? '' });
      await pass(2);
    }
    expect([numbers.length, states()]).toEqual([11, [':requested']]);
    expect(await upload(['a.jpg'])).toBeDefined();
  });

  it('are asked for of one member group also while another one has as many alarms as may wait', async () => {
    isHere = false;
    let serial = 0;
    const alarm = (archiveNumber: number): void => {
      const device = { ...DEVICE, archiveNumber };
      const event = { ...newTrackedEvent({ device, alarmMark: markOf(serial % 50) }), id: serial++ };
      requests.eventsStored([{ kind: 'begun', event }]);
    };
    earlier = Array.from({ length: (WAITING_REQUESTS_LIMIT.max * 3) / 4 }, (_, at) => {
      const ids = { eventId: at, eventBeginAtMs: START_MS, archiveNumber: 1_000, alarmMark: '', alarmNumber: `${at}` };
      return { ...ids, attempts: 0, createdAtMs: START_MS };
    });
    await requests.start();
    alarm(1_001);
    await settled();
    const waiting = requests.waitingCount;
    expect([waiting, rows.at(-1)?.state]).toEqual([earlier.length, 'failed']);
    alarm(2_000);
    await settled();
    expect([requests.waitingCount, rows.at(-1)?.state]).toEqual([waiting + 1, 'requested']);
  });

  it('are asked for again after a connection that the database took no end of', async () => {
    await begin();
    const connection = await upload(['a.jpg']);
    setState = async () => {
      throw new Error('the database is away');
    };
    await connection?.end();
    expect(faults).toEqual(['files of an alarm could not be ended']);
    setState = async () => undefined;
    expect(await upload(['a.jpg'])).toBeDefined();
  });
});
