import { beforeEach, describe, expect, it } from 'vitest';
import type { OrderRequest } from '../../../../../server/device/orders/deviceOrders.ts';
import { createAlarmConfirmations } from '../../../../../server/events/actions/alarmConfirmations.ts';
import { createDriverTexts } from '../../../../../server/events/actions/driverTexts.ts';
import { type BegunEvent, EventActions } from '../../../../../server/events/actions/eventActions.ts';
import { createEventRecordings } from '../../../../../server/events/actions/eventRecordings.ts';
import { createEventSnapshots } from '../../../../../server/events/actions/eventSnapshots.ts';
import type { StoredChange } from '../../../../../server/events/engine/eventWriter.ts';
import { begunEvent } from '../../../../support/begunEvent.ts';
import { settled } from '../../device/jt808/fakeTerminal.ts';

const NOW_MS = 1_795_000_000_000;

let requests: OrderRequest[];
let nowMs: number;
let limits: string[];

beforeEach(() => {
  [requests, nowMs, limits] = [[], NOW_MS, []];
});

const orders = {
  request: async (request: OrderRequest) => {
    requests.push(request);
    return { ok: false, reason: 'closed' } as const;
  },
};
const now = () => nowMs;
const hasChannel = (_: string, channel: number) => channel <= 2;
const onLimit = ({ name }: { readonly name: string }) => void limits.push(name);

describe('the actions of events', () => {
  let acted: BegunEvent[];
  let faults: Error[];

  const actionsWith = (...failing: (() => Promise<void>)[]) =>
    new EventActions({
      actionsOf: (_, type) => (type === 'speeding' ? begunEvent().values : undefined),
      actions: [...failing, async (begun) => void acted.push(begun)],
      onFault: (error) => faults.push(error),
    });
  const change = (kind: StoredChange['kind'], event: Partial<BegunEvent['event']> = {}): StoredChange => ({
    kind,
    event: { ...begunEvent().event, ...event },
  });

  beforeEach(() => {
    [acted, faults] = [[], []];
  });

  it('are done when an event begins that is of a device, of now, and not off', async () => {
    const stored = [
      change('begun'),
      change('repeated'),
      change('seen'),
      change('ended'),
      change('begun', { isLate: true }),
      change('begun', { device: undefined }),
      change('begun', { type: 'fatigue' }),
    ];
    actionsWith().eventsStored(stored);
    await settled();
    expect(acted).toMatchObject([{ event: { id: 5, type: 'speeding' }, device: { deviceId: 'BUS1' } }]);
  });

  it('are done although another one fails, at once or later', async () => {
    const atOnce = (): never => {
      throw new Error('at once');
    };
    actionsWith(atOnce, () => Promise.reject(new Error('later'))).eventsStored([change('begun')]);
    await settled();
    expect(acted).toHaveLength(1);
    expect(faults.map(({ cause }) => String(cause))).toEqual(['Error: at once', 'Error: later']);
  });
});

describe('a text to the driver', () => {
  const say = (begun: BegunEvent) => createDriverTexts({ orders, now, onLimit })(begun);

  it.each([
    [false, 'major', 0x04],
    [true, 'major', 0x0c],
    [true, 'critical', 0x0d],
  ] as const)('spoken %s, of an event that is %s, has the flags %s', async (isSpoken, severity, flags) => {
    await say(begunEvent({ event: { severity }, values: { driverText: 'Slow down', isSpoken } }));
    expect(requests).toMatchObject([
      {
        device: { deviceId: 'BUS1', incarnation: 1 },
        body: { kind: 'text', text: 'Slow down', flags },
        reason: 'event.text',
        reference: 5,
        expiresAtMs: NOW_MS + 60_000,
      },
    ]);
  });

  it('is not sent where there is none', () => {
    expect(say(begunEvent())).toBeUndefined();
    expect(requests).toEqual([]);
  });

  it('is sent once a minute to each device, also when the clock is set back', async () => {
    const tell = createDriverTexts({ orders, now, onLimit });
    const tellAt = async (atMs: number, archiveNumber = 1): Promise<void> => {
      nowMs = NOW_MS + atMs;
      await tell(begunEvent({ archiveNumber, values: { driverText: 'Slow down' } }));
    };
    await tellAt(0);
    await tellAt(59_999);
    await tellAt(59_999, 2);
    await tellAt(60_000);
    await tellAt(-86_400_000);
    expect(requests.map(({ device }) => device.deviceId)).toEqual(['BUS1', 'BUS2', 'BUS1', 'BUS1']);
    expect(limits).toEqual(['events.driver-texts.device']);
  });
});

describe('a confirmation', () => {
  const confirm = createAlarmConfirmations({ orders, now });
  const emergency = { type: 'emergency', source: 'terminal', edition: '2019' } as const;

  it('names the bit of the alarm, and expires soon', async () => {
    await confirm(begunEvent({ event: emergency, values: { confirms: true } }));
    expect(requests).toMatchObject([
      {
        body: { kind: 'confirmAlarm', alarmSerial: 0, types: 1 },
        reason: 'event.confirm',
        reference: 5,
        expiresAtMs: NOW_MS + 60_000,
      },
    ]);
  });

  it.each([
    ['where it is not configured', emergency, { confirms: false }],
    ['of what a rule has found', { ...emergency, source: 'rule' } as const, { confirms: true }],
    ['of an alarm that ends by itself', { ...emergency, type: 'power-low' }, { confirms: true }],
    ['of what is no alarm of a position', { ...emergency, edition: '' }, { confirms: true }],
  ])('is not sent %s', async (_, event, values) => {
    await confirm(begunEvent({ event, values }));
    expect(requests).toEqual([]);
  });
});

describe('a recording', () => {
  it('is of the channels that the device has, for as long as is configured', async () => {
    const recorded: unknown[] = [];
    const record = async (...asked: unknown[]) => void recorded.push(asked);
    const action = createEventRecordings({ record, hasChannel, now });
    await action(begunEvent({ values: { recordChannels: [2, 9], recordSeconds: 30 } }));
    expect(recorded).toEqual([['BUS1', [2], NOW_MS + 30_000]]);
    expect(action(begunEvent({ values: { recordChannels: [9] } }))).toBeUndefined();
    expect(action(begunEvent())).toBeUndefined();
  });
});

describe('pictures', () => {
  it('are of the channels that are configured and that the device has', async () => {
    const asked: unknown[] = [];
    const snapshots = { request: async (...all: unknown[]) => void asked.push(all) };
    const action = createEventSnapshots({ snapshots, hasChannel });
    const begun = begunEvent({ values: { snapshotChannels: [1, 9] } });
    await action(begun);
    expect(asked).toEqual([[begun.device, { eventId: 5, eventBeginAtMs: begun.event.beginAtMs }, [1]]]);
    expect(action(begunEvent())).toBeUndefined();
  });
});
