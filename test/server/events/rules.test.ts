// Rules and actions in the whole gateway, with a terminal on a socket.
import { describe, expect, it } from 'vitest';
import { AlarmBit } from '../../../server/device/jt808/codec/codes.ts';
import type { MessageBody } from '../../../server/device/jt808/codec/message.ts';
import type { EventRuleScope } from '../../../server/store/events/rules/eventRules.ts';
import type { EventRuleSettings } from '../../../shared/protocol/events/eventRules.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { waitFor } from '../../support/waitFor.ts';
import type { RawTerminal } from '../device/rawTerminal.ts';
import { PROFILE } from '../device/testGateway.ts';
import { alarmWithFiles, sayAlarm } from './evidence/attachmentTerminal.ts';
import { type EvidenceScene, heard, PLACE, startEvidenceScene } from './evidence/evidenceScene.ts';

const INSTALLATION: EventRuleScope = { kind: 'installation' };
const THE_DEVICE: EventRuleScope = { kind: 'device', deviceId: PROFILE.deviceId };

interface Configured {
  readonly type: string;
  readonly scope?: EventRuleScope;
  readonly settings: EventRuleSettings;
}

/** A gateway that has read these settings at its start. */
async function startWith(rules: readonly Configured[]): Promise<EvidenceScene> {
  const scene = await startEvidenceScene();
  for (const { type, scope = INSTALLATION, settings } of rules) {
    const put = await scene.gateway.stores.eventRules.put({ type, scope, settings, version: 0 });
    expect(put.ok).toBe(true);
  }
  await scene.restart();
  return scene;
}

function drive(terminal: RawTerminal, speedKmh: number, change: Partial<MessageBody & { kind: 'position' }> = {}) {
  const time = wallMs(Date.now());
  terminal.say({ kind: 'position', ...PLACE, speedKmh, time, items: [], tail: new Uint8Array(), ...change });
}

async function eventOf({ gateway }: EvidenceScene, type: string) {
  const events = await gateway.stores.eventLog.tracked(0);
  return events.find((event) => event.type === type);
}

describe('a rule that is configured', () => {
  it('begins an event, tells the driver, and ends the event', async () => {
    const settings = { threshold: 60, durationSeconds: 0, driverText: 'Slow down', isSpoken: true };
    const scene = await startWith([
      { type: 'speeding', settings: { threshold: 200 } },
      { type: 'speeding', scope: THE_DEVICE, settings },
    ]);
    const terminal = await scene.signIn();
    drive(terminal, 80);
    const text = await waitFor('0x8300', () => heard(terminal, 'text')[0]);
    expect(text).toMatchObject({ text: 'Slow down', flags: 0x0f });
    const event = await waitFor('the event', () => eventOf(scene, 'speeding'));
    expect(event).toMatchObject({ source: 'rule', rule: 2, value: 80, limit: 60, endAtMs: 0 });
    drive(terminal, 40);
    const ended = await waitFor(
      'its end',
      () => eventOf(scene, 'speeding'),
      (each) => (each?.endAtMs ?? 0) > 0,
    );
    expect(ended).toMatchObject({ id: event?.id, value: 80 });
    expect(heard(terminal, 'text')).toHaveLength(1);
  });

  it('raises nothing below its threshold', async () => {
    const scene = await startWith([{ type: 'speeding', settings: { threshold: 60, durationSeconds: 0 } }]);
    const terminal = await scene.signIn();
    drive(terminal, 60);
    drive(terminal, 40, { alarm: 1 << AlarmBit.Emergency });
    await waitFor('the emergency', () => eventOf(scene, 'emergency'));
    expect(await eventOf(scene, 'speeding')).toBeUndefined();
  });

  it('goes on over a restart of the gateway', async () => {
    const scene = await startWith([{ type: 'speeding', settings: { threshold: 60, durationSeconds: 0 } }]);
    const terminal = await scene.signIn();
    drive(terminal, 80);
    const before = await waitFor('the event', () => eventOf(scene, 'speeding'));
    await scene.restart();
    const again = await scene.signIn();
    drive(again, 80);
    drive(again, 40);
    const after = await waitFor(
      'its end',
      () => eventOf(scene, 'speeding'),
      (each) => (each?.endAtMs ?? 0) > 0,
    );
    expect(after).toMatchObject({ id: before?.id, count: 1 });
  });
});

describe('an action that is configured', () => {
  it('confirms the alarm', async () => {
    const scene = await startWith([{ type: 'emergency', settings: { confirms: true } }]);
    const terminal = await scene.signIn();
    await scene.alarm(terminal);
    const confirmed = await waitFor('0x8203', () => heard(terminal, 'confirmAlarm')[0]);
    expect(confirmed).toMatchObject({ alarmSerial: 0, types: 1 });
  });

  it('records channels that nobody records, and takes pictures of others', async () => {
    const settings = { recordChannels: [2, 9], recordSeconds: 30, snapshotChannels: [1] };
    const scene = await startWith([{ type: 'emergency', settings }]);
    const terminal = await scene.signIn();
    expect(heard(terminal, 'liveRequest')).toEqual([]);
    await scene.alarm(terminal);
    const started = await waitFor('0x9101', () => heard(terminal, 'liveRequest')[0]);
    expect(started).toMatchObject({ channel: 2 });
    const picture = await waitFor('0x8801', () => heard(terminal, 'takePicture')[0]);
    expect(picture).toMatchObject({ channel: 1 });
  });

  it('leaves the files of an alarm to the terminal', async () => {
    const off = { type: 'forward-collision', settings: { requestsFiles: false } };
    const scene = await startWith([off, { type: 'emergency', settings: { confirms: true } }]);
    const terminal = await scene.signIn();
    sayAlarm(terminal);
    await waitFor('the event', () => eventOf(scene, 'forward-collision'));
    // What is asked because of a later event has come: nothing was asked because of the first.
    await scene.alarm(terminal);
    await waitFor('0x8203', () => heard(terminal, 'confirmAlarm')[0]);
    expect(heard(terminal, 'attachmentRequest')).toEqual([]);
  });

  it('asks for the files where nothing is configured', async () => {
    const scene = await startWith([]);
    expect(await alarmWithFiles(await scene.signIn())).toMatchObject({ kind: 'attachmentRequest' });
  });
});

describe('a terminal that signs in', () => {
  it('is asked for the driver card where a rule goes by it', async () => {
    const scene = await startWith([{ type: 'no-driver-card', settings: { enabled: true, durationSeconds: 0 } }]);
    const terminal = await scene.signIn();
    await answerQuestions(terminal, 'queryDriver');
    terminal.say({ kind: 'driverIdentity', status: 2, time: wallMs(Date.now()) });
    const isAnswered = () =>
      terminal.heard.some((body) => body.kind === 'platformGeneralReply' && body.replyId === 0x0702);
    await waitFor('the answer is taken', isAnswered);
    drive(terminal, 50);
    await waitFor('the event', () => eventOf(scene, 'no-driver-card'));
  });
});

/** Refuses every other question, so that the one that is waited for comes. */
async function answerQuestions(terminal: RawTerminal, awaited: MessageBody['kind']): Promise<void> {
  const REFUSED = 3;
  let answered = 0;
  await waitFor('the question', () => {
    for (const message of terminal.messages.slice(answered)) {
      answered++;
      if (message.body.kind === awaited) return true;
      if (/^query/.test(message.body.kind)) terminal.reply(message, REFUSED);
    }
    return false;
  });
}
