// Event types that administrators define, by way of the whole gateway: a call, and what a terminal over TCP then raises.
import { expect, it } from 'vitest';
import { MessageId, StatusBit } from '../../../server/device/jt808/codec/codes.ts';
import type { MessageBody } from '../../../server/device/jt808/codec/message.ts';
import { EVENT_REASONS_PATH, EVENT_TYPES_PATH, type EventTypeRecord } from '../../../shared/protocol/api/eventTypes.ts';
import { BUILT_IN_REASON_CODES } from '../../../shared/protocol/events/builtInReasons.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { anyEventType } from '../../support/anyEventType.ts';
import { waitFor } from '../../support/waitFor.ts';
import { RawTerminal } from '../device/rawTerminal.ts';
import { openGateway, signIn } from './wholeGateway.ts';

const RAMP_ITEM = 0xe1;

function position(seconds: number, ramp: number): MessageBody {
  return {
    kind: 'position',
    alarm: 0,
    status: 1 << StatusBit.Fixed,
    latitude: 25,
    longitude: 121,
    altitudeMeters: 0,
    speedKmh: 30,
    direction: 0,
    time: wallMs(Math.floor(Date.now() / 1000 + seconds) * 1000),
    items: [{ id: RAMP_ITEM, value: Uint8Array.of(ramp) }],
    tail: new Uint8Array(0),
  };
}

/** Settles once the gateway has answered: what the position raises is stored by then. */
async function report(terminal: RawTerminal, body: MessageBody): Promise<void> {
  const answers = () =>
    terminal.heard.filter((each) => each.kind === 'platformGeneralReply' && each.replyId === MessageId.position).length;
  const before = answers();
  terminal.say(body);
  await waitFor('the answer', answers, (count) => count > before);
}

it('raises what administrators define from the next report on, as they define it', async () => {
  const gateway = await openGateway();
  const ask = await signIn(gateway);
  const terminal = await RawTerminal.dial({ port: gateway.jt808Port });
  await terminal.signIn();
  const events = async () => {
    const all = await gateway.stores.eventLog.tracked(0);
    return all.flatMap((each) => (each.archiveNumber > 0 ? [[each.type, each.severity, each.endAtMs > 0]] : []));
  };
  await report(terminal, position(0, 4));
  expect(await events()).toEqual([]);

  const first = await ask<EventTypeRecord>('POST', EVENT_TYPES_PATH, anyEventType());
  await report(terminal, position(1, 4));
  expect(await events()).toEqual([[first.code, 'major', false]]);

  const { code, unit, hasRule, isBuiltIn, ...content } = first;
  await ask('PUT', `${EVENT_TYPES_PATH}/${code}`, { ...content, enabled: false });
  const second = await ask<EventTypeRecord>('POST', EVENT_TYPES_PATH, {
    ...anyEventType({ nameEn: 'Ramp down while driving', severity: 'critical' }),
  });
  await report(terminal, position(2, 4));
  expect(await events()).toEqual([
    [first.code, 'major', true],
    [second.code, 'critical', false],
  ]);
  await report(terminal, position(3, 0));
  expect(await events()).toContainEqual([second.code, 'critical', true]);
});

it('begins with the built-in types and reasons', async () => {
  const gateway = await openGateway();
  const ask = await signIn(gateway);
  const reasons = await ask<readonly { readonly code: string }[]>('GET', EVENT_REASONS_PATH);
  expect(reasons.map(({ code }) => code)).toEqual(BUILT_IN_REASON_CODES);
  const types = await ask<readonly EventTypeRecord[]>('GET', EVENT_TYPES_PATH);
  expect(types.every(({ isBuiltIn }) => isBuiltIn)).toBe(true);
  expect(types.length).toBeGreaterThan(50);
});
