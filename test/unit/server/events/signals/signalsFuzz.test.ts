// Positions of any content: nothing throws, and what comes out is what an engine of events can work with.
import { describe, expect, it } from 'vitest';
import { MessageId } from '../../../../../server/device/jt808/codec/codes.ts';
import { FrameSplitter } from '../../../../../server/device/jt808/codec/frame.ts';
import { decodeBody, decodeMessage } from '../../../../../server/device/jt808/codec/message.ts';
import type { PositionItem } from '../../../../../server/device/jt808/codec/messages/position.ts';
import { CustomTypes } from '../../../../../server/events/signals/customTypes.ts';
import { MAX_SIGNALS, observationOf } from '../../../../../server/events/signals/observation.ts';
import type { Observation, Signal } from '../../../../../server/events/signals/signal.ts';
import { builtInType } from '../../../../../shared/protocol/events/builtInTypes.ts';
import { damaged, FUZZ_RUNS, FUZZ_TIMEOUT_MS, fuzz, pick, type Random } from '../../../../support/fuzz.ts';
import { ofHex, safetyVectors, vectors } from '../../device/jt808/codec/vectors.ts';
import { messageReport, openAfter, positionReport } from './reports.ts';
import { safetyAlarm, tyre } from './safety.ts';

const CUSTOM = new CustomTypes([
  {
    code: 'own-item',
    source: { kind: 'position-item', itemId: 0x15, match: { offset: 3, width: 1, mask: 1, value: 1 }, form: 'held' },
  },
  { code: 'own-message', source: { kind: 'passthrough', passthroughType: 0xf0, match: null } },
]);
const OWN_CODES = ['own-item', 'own-message'];

/** Each in its length. */
const KNOWN: readonly PositionItem[] = [
  ...[0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18].map((id, at) => ({
    id,
    value: new Uint8Array([5, 6, 7, 4, 4, 4, 2, 3][at] ?? 0),
  })),
  safetyAlarm('adas'),
  safetyAlarm('driverMonitoring'),
  safetyAlarm('tyres', { readings: [tyre(0, 2), tyre(1, 4)] }),
  safetyAlarm('blindSpot'),
  safetyAlarm('drivingStyle'),
];

function anyItem(random: Random): PositionItem {
  const { id, value } = pick(KNOWN, random);
  const bytes = value.map((byte) => (random(2) === 0 ? byte : random(256)));
  return { id: random(10) === 0 ? random(256) : id, value: random(10) === 0 ? damaged(bytes, random) : bytes };
}

function anyWord(random: Random): number {
  return pick([0, 0xffffffff, random(0x1_0000_0000)], random);
}

/** What an engine relies on. */
function check({ covered, signals, signalsLeftOut = 0 }: Observation): void {
  if (signals.length > MAX_SIGNALS || signalsLeftOut < 0) throw new Error(`${signals.length} signals`);
  const fault = signals.flatMap((signal) => faultOf(signal, covered) ?? [])[0];
  if (fault !== undefined) throw new Error(fault);
  const held = signals
    .filter(({ form }) => form === 'held')
    .map(({ type, unit, origin }) => `${type} ${unit} ${origin}`);
  if (new Set(held).size < held.length) throw new Error(`said twice: ${held.join()}`);
}

function faultOf(signal: Signal, covered: number): string | undefined {
  const { type, unit, area, form, origin, value = 0, limit = 0, alarmMark } = signal;
  const builtIn = builtInType(type);
  if (builtIn === undefined && !OWN_CODES.includes(type)) return `no such type: ${type}`;
  if (unit > 0 && builtIn?.unit === undefined) return `${type} has unit ${unit}`;
  if (![unit, area].every((number) => Number.isInteger(number) && number >= 0)) return `${type}: ${unit}, ${area}`;
  if (![value, limit].every(Number.isFinite)) return `${type}: ${value} of ${limit}`;
  if (alarmMark !== undefined && !/^[0-9a-f]{32}$/.test(alarmMark)) return `${type}: ${alarmMark}`;
  // A held signal that its own report does not cover would be open for ever.
  return form === 'held' && (covered & origin) === 0 ? `${type} of ${origin} in ${covered}` : undefined;
}

describe('any position', () => {
  it('is observed', { timeout: FUZZ_TIMEOUT_MS }, () => {
    let withSignals = 0;
    fuzz((random) => {
      const items = Array.from({ length: random(8) }, () => anyItem(random));
      const edition = pick(['2013', '2019'] as const, random);
      const report = positionReport({ alarm: anyWord(random), edition, items, isLive: random(2) === 0 });
      const observation = observationOf(report, CUSTOM);
      if (observation === undefined) throw new Error('not observed');
      check(observation);
      if (observation.signals.length > 0) withSignals++;
      // Whatever lasts as long as it is said has ended when nothing is said any more.
      const heldAlone = { ...observation, signals: observation.signals.filter(({ form }) => form === 'held') };
      const open = openAfter([heldAlone, observationOf(positionReport(), CUSTOM)]);
      if (open.length > 0) throw new Error(`still open: ${open.join()}`);
    });
    expect(withSignals).toBeGreaterThan(FUZZ_RUNS / 2);
  });

  it('of a damaged message is observed, as long as it can be read', { timeout: FUZZ_TIMEOUT_MS }, () => {
    const bodies = [...vectors, ...safetyVectors].flatMap(positionBodyOf);
    expect(bodies.length).toBeGreaterThan(5);
    let positions = 0;
    fuzz((random) => {
      const read = decodeBody(MessageId.position, '2019', damaged(pick(bodies, random), random));
      if (!read.ok || read.body.kind !== 'position') return;
      const { alarm, items } = read.body;
      const observation = observationOf(positionReport({ alarm, items }), CUSTOM);
      if (observation === undefined) throw new Error('not observed');
      check(observation);
      positions++;
    });
    expect(positions).toBeGreaterThan(FUZZ_RUNS / 4);
  });
});

it('any passthrough message is observed or says nothing', { timeout: FUZZ_TIMEOUT_MS }, () => {
  fuzz((random) => {
    const data = Uint8Array.from({ length: random(300) }, () => random(256));
    const type = pick([0xf0, random(256)], random);
    const observation = observationOf(messageReport({ kind: 'passthroughUp', type, data }), CUSTOM);
    if ((observation !== undefined) !== (type === 0xf0)) throw new Error(`type ${type}`);
  });
});

/** The body of a published position, without its header. */
function positionBodyOf({ hex, message_id: messageId }: (typeof vectors)[number]): Uint8Array[] {
  if (messageId !== '0x0200') return [];
  const [event] = new FrameSplitter().push(ofHex(hex));
  const result = event?.kind === 'frame' ? decodeMessage(event.bytes) : undefined;
  if (event?.kind !== 'frame' || result?.ok !== true || result.message.body.kind !== 'position') return [];
  return [event.bytes.slice(result.message.header.edition === '2019' ? 17 : 12)];
}
