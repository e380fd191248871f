// A simulated terminal with a script on the gateway's own port, on a clock that the test moves.
import { describe, expect } from 'vitest';
import { readAlarmMark } from '../../../server/device/jt808/codec/alarmMark.ts';
import { AdasType, AlarmBit, GeneralResult } from '../../../server/device/jt808/codec/codes.ts';
import type { BodyOf } from '../../../server/device/jt808/codec/message.ts';
import { AttachmentType } from '../../../server/device/jt808/codec/messages/attachments.ts';
import { parameterItem, parameterValue } from '../../../server/device/jt808/codec/parameterValues.ts';
import type { MessageReport, PositionReport, Report } from '../../../server/device/reportFeed.ts';
import type { TerminalSession } from '../../../server/device/terminalSession.ts';
import type { TerminalQuirks } from '../../../simulator/quirks.ts';
import type { VehicleScript } from '../../../simulator/script/vehicleScript.ts';
import type { SimulatedTerminal } from '../../../simulator/terminal.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { waitFor } from '../../support/waitFor.ts';
import { it } from '../device/gatewayTest.ts';
import { PROFILE, type TestGateway } from '../device/testGateway.ts';
import { AttachmentReceiver } from './attachmentReceiver.ts';

const STARTED_MS = Date.UTC(2026, 10, 23, 8);
const EMERGENCY = 1 << AlarmBit.Emergency;
const SPEEDING = 1 << AlarmBit.Overspeed;

interface Scene {
  readonly timers: ManualTimers;
  readonly terminal: SimulatedTerminal;
  readonly session: TerminalSession;
  readonly reports: readonly Report[];
  positions(): PositionReport[];
  messages(): MessageReport['body'][];
  /** Lets the terminal's clock go on, and waits until `read` finds what the terminal then says. */
  until<Found>(seconds: number, what: string, read: () => Found): Promise<NonNullable<Found>>;
}

async function startScene(test: TestGateway, script: VehicleScript, quirks: TerminalQuirks = {}): Promise<Scene> {
  const timers = new ManualTimers();
  const reports: Report[] = [];
  test.feed.subscribe('events', (report) => void reports.push(report));
  await test.addDevice();
  const now = (): number => STARTED_MS + timers.now();
  const terminal = test.start({ script, quirks, readsAloud: true }, { now, runAfter: timers.runAfter });
  const session = await waitFor('the terminal is online', () => test.gateway.registry.session('BUS1'));
  if (session === undefined) throw new Error('no session');
  const positions = (): PositionReport[] => reports.filter((report) => report.kind === 'position');
  await waitFor('the first position', () => positions().length > 0);
  return {
    timers,
    terminal,
    session,
    reports,
    positions,
    messages: () => reports.flatMap((report) => (report.kind === 'message' ? [report.body] : [])),
    until: async (seconds, what, read) => {
      timers.advance(seconds * 1000);
      const found = await waitFor(what, read);
      if (found === undefined || found === null) throw new Error(what);
      return found;
    },
  };
}

describe.concurrent('the script of a terminal', () => {
  it('is what the gateway hears', async ({ test }) => {
    const { positions, messages, until } = await startScene(test, [
      {
        kind: 'driver-card',
        atSeconds: 1,
        card: { name: '林志明', licence: 'N1', issuer: '南投', validUntil: '20290630' },
      },
      {
        kind: 'alarm',
        atSeconds: 2,
        bits: [AlarmBit.AreaCrossed],
        areaCrossed: { areaType: 3, areaId: 9, isLeaving: true },
      },
      { kind: 'video-alarm', atSeconds: 2, lostChannels: [2], coveredChannels: [1] },
      { kind: 'gauge', gauge: 'fuelLitres', atSeconds: 2, from: 150.5 },
      { kind: 'safety', atSeconds: 2, alarm: { item: 'adas', type: AdasType.ForwardCollision, headwayMs: 1_200 } },
      { kind: 'passengers', atSeconds: 3, boarded: 4, alighted: 2, overSeconds: 60 },
      { kind: 'media-event', atSeconds: 3, event: 4, channel: 1 },
      { kind: 'driver-event', atSeconds: 3, id: 6 },
      { kind: 'passthrough', atSeconds: 3, type: 0xf1, data: Uint8Array.of(7) },
    ]);
    await until(3, 'the last message', () => messages().length === 5);
    const withAlarm = positions().find(({ details }) => details.adas !== undefined);
    expect(withAlarm).toMatchObject({
      isLive: true,
      position: { alarmBits: 1 << AlarmBit.AreaCrossed, deviceTimeMs: STARTED_MS + 2_000 },
      details: {
        areaCrossed: { areaType: 3, areaId: 9, isLeaving: true },
        videoAlarms: 3,
        videoLostBits: 2,
        videoCoveredBits: 1,
        fuelLitres: 150.5,
        adas: [{ type: AdasType.ForwardCollision, headwayMs: 1_200 }],
      },
    });
    expect(test.gateway.registry.videoLost('BUS1')).toBe(2);
    expect(messages()).toMatchObject([
      { kind: 'driverIdentity', status: 1, card: { name: '林志明' } },
      { kind: 'passengerFlow', boarded: 4, alighted: 2 },
      { kind: 'mediaEvent', event: 4, channel: 1 },
      { kind: 'eventReport', id: 6 },
      { kind: 'passthroughUp', type: 0xf1 },
    ]);
  });

  it('makes it go away and come back with what it stored', async ({ test }) => {
    const { positions, reports, timers, until } = await startScene(test, [
      { kind: 'absence', atSeconds: 10, forSeconds: 60 },
      { kind: 'alarm', atSeconds: 30, forSeconds: 10, bits: [AlarmBit.Overspeed] },
    ]);
    await until(10, 'it is away', () => test.gateway.registry.session('BUS1') === undefined);
    timers.advance(50_000);
    await until(10, 'it is back', () =>
      positions().some(({ isLive, position }) => isLive && position.deviceTimeMs >= STARTED_MS + 70_000),
    );
    const late = positions().filter(({ isLive }) => !isLive);
    const speeding = late.filter(({ position }) => position.alarmBits === SPEEDING);
    expect(late).toHaveLength(13);
    expect(speeding.map(({ position }) => (position.deviceTimeMs - STARTED_MS) / 1000)).toEqual([30, 35]);
    expect(reports.flatMap((report) => (report.kind === 'presence' ? [report.isOnline] : []))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('keeps up an alarm until the platform has confirmed it', async ({ test }) => {
    const { session, positions, until } = await startScene(test, [
      { kind: 'alarm', atSeconds: 1, bits: [AlarmBit.Emergency] },
    ]);
    const lastAlarm = (): number | undefined => positions().at(-1)?.position.alarmBits;
    await until(1, 'the alarm', () => lastAlarm() === EMERGENCY);
    const confirm = { kind: 'confirmAlarm', alarmSerial: 0, types: EMERGENCY } as const;
    expect(await session.command(confirm)).toEqual({ ok: true });
    await until(5, 'it is over', () => lastAlarm() === 0);
  });
});

describe.concurrent('orders to a terminal', () => {
  it('set parameters, which are kept and obeyed', async ({ test }) => {
    const { session, positions, until } = await startScene(test, [
      { kind: 'alarm', atSeconds: 1, bits: [AlarmBit.Overspeed, AlarmBit.Collision] },
    ]);
    const items = [parameterItem('maxSpeedKmh', 70, '2019'), parameterItem('alarmMask', SPEEDING, '2019')];
    expect(await session.command({ kind: 'setParameters', items })).toEqual({ ok: true });
    const told = await session.query({ kind: 'querySomeParameters', ids: [0x0050, 0x0055, 0x007a] }, 'parametersReply');
    if (!told.ok) throw new Error(told.reason);
    const kept = (name: 'alarmMask' | 'maxSpeedKmh' | 'videoAlarmMask') =>
      parameterValue(told.answer.items, name, '2019');
    expect([kept('alarmMask'), kept('maxSpeedKmh'), kept('videoAlarmMask')]).toEqual([SPEEDING, 70, 0]);
    await until(
      1,
      'the alarm that is not masked',
      () => positions().at(-1)?.position.alarmBits === 1 << AlarmBit.Collision,
    );
  });

  it('show the driver a text, and ask for an answer', async ({ test }) => {
    const { session, terminal, messages, until } = await startScene(test, []);
    const flags = 0b1100;
    expect(await session.command({ kind: 'text', flags, textType: 1, text: '前方施工' })).toEqual({ ok: true });
    expect(terminal.texts).toEqual([{ text: '前方施工', isReadAloud: true }]);
    const menu = { kind: 'eventSet', type: 1, events: [{ id: 1, text: 'late' }] } as const;
    expect(await session.command(menu)).toEqual({ ok: true });
    const answers = [
      { id: 5, text: '是' },
      { id: 6, text: '否' },
    ];
    expect(await session.command({ kind: 'question', flags, question: '準點？', answers })).toEqual({ ok: true });
    await until(5, 'the answer', () => messages().length > 0);
    expect(messages()).toMatchObject([{ kind: 'questionAnswer', answerId: 5 }]);
  });

  it('take pictures', async ({ test }) => {
    const { session } = await startScene(test, []);
    const take = async (channel: number) => {
      const settings = { resolution: 1, quality: 10, brightness: 0, contrast: 0, saturation: 0, chroma: 0 };
      const answer = await session.query(
        { kind: 'takePicture', channel, command: 2, seconds: 30, save: 1, ...settings },
        'takePictureReply',
      );
      return answer.ok ? answer.answer : answer;
    };
    expect(await take(2)).toMatchObject({ result: 0, mediaIds: [1, 2] });
    expect(await take(3)).toMatchObject({ result: 2, mediaIds: [] });
    const anytime = { channel: 0, type: 0, event: 0, start: undefined, end: undefined };
    const found = await session.query({ kind: 'searchMedia', ...anytime }, 'searchMediaReply');
    expect(found.ok && found.answer.items.map(({ mediaId, channel }) => [mediaId, channel])).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  it.for([
    ['setParameters', { kind: 'setParameters', items: [] }],
    ['text', { kind: 'text', flags: 0, textType: 1, text: 'x' }],
  ] as const)('are refused where that is the quirk: %s', async ([kind, body], { test }) => {
    const { session } = await startScene(test, [], { refusals: { [kind]: GeneralResult.NotSupported } });
    expect(await session.command(body)).toEqual({ ok: false, reason: 'refused', result: GeneralResult.NotSupported });
  });
});

describe('the files of an alarm', () => {
  const SCRIPT: VehicleScript = [
    {
      kind: 'safety',
      atSeconds: 1,
      alarm: { item: 'adas', type: AdasType.ForwardCollision },
      files: { channel: 1, pictures: 1, videoSeconds: 1 },
    },
  ];
  const NUMBER = '0123456789abcdef0123456789abcdef';

  interface Uploading extends Scene {
    readonly receiver: AttachmentReceiver;
    readonly request: BodyOf<'attachmentRequest'>;
  }

  /** Runs the scene up to the request for the files. */
  const ask = async (test: TestGateway, quirks: TerminalQuirks = {}, maxBytes?: number): Promise<Uploading> => {
    const scene = await startScene(test, SCRIPT, quirks);
    const mark = await scene.until(
      1,
      'the alarm',
      () => scene.positions().flatMap(({ details }) => details.adas ?? [])[0]?.mark,
    );
    const { receiver, port } = await AttachmentReceiver.listen(maxBytes);
    const request = {
      kind: 'attachmentRequest',
      host: '127.0.0.1',
      tcpPort: port,
      udpPort: 0,
      mark,
      alarmNumber: NUMBER,
    } as const;
    expect(await scene.session.command(request)).toEqual({ ok: true });
    return { ...scene, receiver, request };
  };
  const whole = (receiver: AttachmentReceiver) => waitFor('the connection is over', () => receiver.isClosed);

  it('are listed and sent whole, and the connection ends', async ({ test }) => {
    const { receiver, request } = await ask(test);
    await whole(receiver);
    const [list] = receiver.of('attachmentList');
    expect(list).toMatchObject({ terminalId: PROFILE.number.slice(-7), alarmNumber: NUMBER, uploadType: 0 });
    expect(list?.mark).toEqual(request.mark);
    expect(list?.files.map(({ name }) => name)).toEqual([`00_1_6401_0_${NUMBER}.jpg`, `02_1_6401_1_${NUMBER}.mp4`]);
    expect([...receiver.files.values()].map(({ length }) => length)).toEqual(
      list?.files.map(({ sizeBytes }) => sizeBytes),
    );
    expect(receiver.of('attachmentFile').map(({ type }) => type)).toEqual([
      AttachmentType.Picture,
      AttachmentType.Video,
    ]);
    const [picture, video] = [...receiver.files.values()].map((bytes) =>
      Buffer.from(bytes.subarray(0, 12)).toString('latin1'),
    );
    expect(picture?.startsWith('\xff\xd8\xff')).toBe(true);
    expect(video?.slice(4, 8)).toBe('ftyp');
    expect(receiver.repeats).toBe(0);
  });

  it.for<[string, TerminalQuirks, { readonly repeats: number }]>([
    ['blocks that are lost', { attachments: { loseEveryBlock: 2 } }, { repeats: 2 }],
    ['blocks that come twice', { attachments: { doubleEveryBlock: 2 } }, { repeats: 0 }],
  ])('come whole with %s', async ([, quirks, { repeats }], { test }) => {
    const { receiver } = await ask(test, quirks);
    await whole(receiver);
    expect(receiver.files.size).toBe(2);
    expect(receiver.repeats).toBe(repeats);
  });

  it('are of another size than was said, where that is the quirk', async ({ test }) => {
    const { receiver, terminal } = await ask(test, { attachments: { sizeErrorBytes: 1_000 } });
    // The terminal has no such bytes: it says again and again that it has sent all.
    await waitFor('it was asked often', () => receiver.repeats > 3);
    expect(receiver.files.size).toBe(0);
    terminal.stop();
  });

  it('never end, where that is the quirk', async ({ test }) => {
    const { receiver } = await ask(test, { attachments: { isEndless: true } }, 3_000_000);
    await whole(receiver);
    expect(receiver.receivedBytes).toBeGreaterThan(3_000_000);
    expect(receiver.of('attachmentFileDone')).toEqual([]);
  });

  it('have the mark of another terminal, or are never said to be sent, where that is the quirk', async ({ test }) => {
    const { receiver, request, terminal } = await ask(test, { attachments: { hasForeignMark: true, neverDone: true } });
    const said = (): number => receiver.of('attachmentFile')[0]?.sizeBytes ?? Number.POSITIVE_INFINITY;
    await waitFor('all of the file', () => receiver.receivedBytes > said());
    const mark = receiver.of('attachmentList')[0]?.mark;
    expect(mark?.bytes).not.toEqual(request.mark.bytes);
    expect(readAlarmMark(mark?.bytes ?? new Uint8Array(0))?.terminalId).toBe('0000000');
    expect(receiver.of('attachmentFileDone')).toEqual([]);
    terminal.stop();
    await whole(receiver);
  });

  it('that the terminal does not know, or may not give, are refused', async ({ test }) => {
    const { session, request } = await ask(test);
    const mark = { ...request.mark, bytes: new Uint8Array(16) };
    const refused = (result: number) => ({ ok: false, reason: 'refused', result });
    expect(await session.command({ ...request, mark })).toEqual(refused(GeneralResult.Failed));
    expect(await session.command({ ...request, tcpPort: 0 })).toEqual(refused(GeneralResult.Failed));
  });
});
