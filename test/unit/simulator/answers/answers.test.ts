// What a simulated terminal keeps and answers, without a connection.
import { describe, expect, it } from 'vitest';
import { GeneralResult } from '../../../../server/device/jt808/codec/codes.ts';
import type { MessageBody } from '../../../../server/device/jt808/codec/message.ts';
import { parameterItem, parameterValue } from '../../../../server/device/jt808/codec/parameterValues.ts';
import { DriverDisplay } from '../../../../simulator/answers/driverDisplay.ts';
import { ParameterTable } from '../../../../simulator/answers/parameterTable.ts';
import { answerTo, generalResultOf, refusalOf } from '../../../../simulator/answers/terminalAnswers.ts';
import type { VehicleProfile } from '../../../../simulator/vehicleProfile.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';

const PROFILE: VehicleProfile = {
  deviceId: 'BUS1',
  name: 'Bus 1',
  number: '13800000001',
  edition: '2019',
  plate: 'A-0001',
  channels: 4,
  lapShare: 0,
  ptzChannels: [2],
};

describe('the parameters', () => {
  it('are limits and masks of a bus at first', () => {
    const { all } = new ParameterTable(PROFILE);
    const kept = (name: Parameters<typeof parameterValue>[1]) => parameterValue(all, name, '2019');
    const masks = ['alarmMask', 'keyAlarmMask', 'videoAlarmMask'] as const;
    expect(masks.map((name) => kept(name))).toEqual([0, 0, 0]);
    expect(kept('maxSpeedKmh')).toBe(80);
    expect(kept('maxParkingSeconds')).toBe(7_200);
    expect(kept('heartbeatSeconds')).toBe(30);
    expect(kept('plate')).toBe('A-0001');
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it('stay as they are set, and are told by their ids', () => {
    const table = new ParameterTable(PROFILE);
    table.set([
      parameterItem('maxSpeedKmh', 95, '2019'),
      parameterItem('alarmMask', 6, '2019'),
      { id: 0xf999, value: Uint8Array.of(7) },
    ]);
    const some = table.some([0x0055, 0x0055, 0xf999, 0xfffe]);
    expect(some.map(({ id }) => id)).toEqual([0x0055, 0xf999]);
    expect(parameterValue(some, 'maxSpeedKmh', '2019')).toBe(95);
    expect(table.alarmMasks).toEqual({ alarms: 6, videoAlarms: 0 });
    table.set([parameterItem('videoAlarmMask', 3, '2019'), { id: 0x0050, value: Uint8Array.of(1) }]);
    expect(table.alarmMasks).toEqual({ alarms: 0, videoAlarms: 3 });
  });

  it('have a bound: what is known can still be set', () => {
    const table = new ParameterTable(PROFILE);
    table.set(Array.from({ length: 1_000 }, (_, at) => ({ id: 0x10000 + at, value: Uint8Array.of(1) })));
    expect(table.all).toHaveLength(500);
    table.set([parameterItem('maxSpeedKmh', 50, '2019')]);
    expect(parameterValue(table.all, 'maxSpeedKmh', '2019')).toBe(50);
  });

  it('are what the terminal answers', () => {
    const parameters = new ParameterTable(PROFILE);
    const terminal = { profile: PROFILE, parameters, firmwareVersion: '1.0' };
    expect(answerTo({ kind: 'querySomeParameters', ids: [0x0055] }, 9, terminal)).toEqual({
      kind: 'parametersReply',
      replySerial: 9,
      count: 1,
      items: [parameterItem('maxSpeedKmh', 80, '2019')],
      tail: new Uint8Array(0),
    });
    expect(answerTo({ kind: 'linkCheck' }, 9, terminal)).toBeUndefined();
  });
});

describe('an order', () => {
  it.each([
    [{ kind: 'linkCheck' }, GeneralResult.Ok],
    [{ kind: 'ptzZoom', channel: 2, value: 0 }, GeneralResult.Ok],
    [{ kind: 'ptzZoom', channel: 1, value: 0 }, GeneralResult.NotSupported],
    [{ kind: 'callBack', listen: 0, phone: '1' }, GeneralResult.NotSupported],
  ] as const)('%j is answered with %d', (order, result) => {
    expect(generalResultOf(order, PROFILE)).toBe(result);
  });

  it('is refused where that is the quirk', () => {
    const profile = { ...PROFILE, quirks: { refusals: { text: GeneralResult.NotSupported } } };
    expect(refusalOf({ kind: 'text', flags: 0, text: '' }, profile)).toBe(GeneralResult.NotSupported);
    expect(refusalOf({ kind: 'linkCheck' }, profile)).toBeUndefined();
    expect(refusalOf({ kind: 'unknown', id: 0x8f00, bytes: new Uint8Array(0) }, PROFILE)).toBeUndefined();
  });
});

describe("the driver's display", () => {
  const scene = (readsAloud = true) => {
    const timers = new ManualTimers();
    const sent: (readonly [seconds: number, body: MessageBody])[] = [];
    const send = (body: MessageBody): void => void sent.push([timers.now() / 1000, body]);
    const display = new DriverDisplay({ readsAloud, runAfter: timers.runAfter, reply: send, report: send });
    return { timers, sent, display };
  };
  const SPEECH = 0b1000;

  it.each([
    [true, SPEECH, true],
    [true, 0b0100, false],
    [false, SPEECH, false],
  ])('with a voice: %s, reads a text with flags %d aloud: %s', (readsAloud, flags, isReadAloud) => {
    const { display, sent } = scene(readsAloud);
    display.obey(5, { kind: 'text', flags, text: '請回電' });
    expect(display.texts).toEqual([{ text: '請回電', isReadAloud }]);
    expect(sent).toEqual([
      [0, { kind: 'terminalGeneralReply', replySerial: 5, replyId: 0x8300, result: GeneralResult.Ok }],
    ]);
  });

  it('shows the last twenty texts', () => {
    const { display } = scene();
    for (let count = 1; count <= 25; count++) display.obey(count, { kind: 'text', flags: 0, text: `${count}` });
    expect([display.texts[0]?.text, display.texts.at(-1)?.text, display.texts.length]).toEqual(['6', '25', 20]);
  });

  it('has a question answered with its first answer, some seconds later', () => {
    const { display, sent, timers } = scene();
    const answers = [
      { id: 3, text: 'yes' },
      { id: 4, text: 'no' },
    ];
    display.obey(8, { kind: 'question', flags: 0, question: 'On time?', answers });
    display.obey(9, { kind: 'question', flags: 0, question: 'Late?', answers });
    timers.advance(60_000);
    expect(sent.slice(2)).toEqual([[5, { kind: 'questionAnswer', replySerial: 9, answerId: 3 }]]);
    display.obey(10, { kind: 'question', flags: 0, question: 'Still there?', answers });
    display.disconnected();
    display.obey(11, { kind: 'question', flags: 0, question: 'Nothing to choose?', answers: [] });
    expect(timers.pending).toBe(0);
  });

  it.each([
    [1, [[7, 'new']]],
    [
      2,
      [
        [1, 'a'],
        [2, 'b'],
        [7, 'new'],
      ],
    ],
    [
      3,
      [
        [1, 'a'],
        [2, 'b'],
        [7, 'new'],
      ],
    ],
    [
      4,
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    [0, []],
  ])('changes the menu of events by type %d', (type, menu) => {
    const { display } = scene();
    const before = [
      { id: 1, text: 'a' },
      { id: 2, text: 'b' },
      { id: 7, text: 'old' },
    ];
    display.obey(1, { kind: 'eventSet', type: 1, events: before });
    display.obey(2, { kind: 'eventSet', type, events: [{ id: 7, text: 'new' }] });
    expect(display.menu.map(({ id, text }) => [id, text])).toEqual(menu);
  });
});
