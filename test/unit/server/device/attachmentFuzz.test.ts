// Active safety damaged at random: attachment connections and the items of positions. Nothing throws, nothing grows, and what
// comes behind the damage is read.
import { describe, expect, it } from 'vitest';
import { type SafetyAlarm, type SafetyKind, safetyItem } from '../../../../server/device/jt808/codec/activeSafety.ts';
import {
  type AttachmentEvent,
  AttachmentSplitter,
  encodeBlock,
  MAX_BLOCK_BYTES,
} from '../../../../server/device/jt808/codec/attachmentStream.ts';
import { decodeMessage } from '../../../../server/device/jt808/codec/message.ts';
import { positionDetails } from '../../../../server/device/jt808/codec/positionItems.ts';
import { damaged, FUZZ_RUNS, FUZZ_TIMEOUT_MS, fuzz, heldBytes, pick, type Random } from '../../../support/fuzz.ts';
import { decoded } from './jt808/codec/vectorFrames.ts';
import { negativeSafetyVectors, ofHex, safetyVectors } from './jt808/codec/vectors.ts';

const inputs = [...safetyVectors, ...negativeSafetyVectors].map(({ hex }) => ofHex(hex));
const END = encodeBlock({ name: 'end', offset: 0, data: new Uint8Array(0) });
/** More than the longest block that damage can make the splitter wait for. */
const FLUSH = new Uint8Array(MAX_BLOCK_BYTES + 100);

function inChunks(
  bytes: Uint8Array,
  random: Random,
  push: (chunk: Uint8Array) => AttachmentEvent[],
): AttachmentEvent[] {
  const events: AttachmentEvent[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + random(random(4) === 0 ? 3 : 300);
    events.push(...push(bytes.slice(at, at + size)));
    at += size;
  }
  return events;
}

describe('a damaged attachment connection', () => {
  it('ends in frames, blocks and reasons, and goes on behind them', { timeout: FUZZ_TIMEOUT_MS }, () => {
    let splitter = new AttachmentSplitter();
    const kinds = { frame: 0, block: 0, broken: 0 };
    fuzz((random) => {
      const bytes = random(3) === 0 ? pick(inputs, random) : damaged(pick(inputs, random), random);
      for (const event of inChunks(bytes, random, (chunk) => splitter.push(chunk))) {
        kinds[event.kind]++;
        if (event.kind === 'frame') decodeMessage(event.bytes);
        if (event.kind === 'block' && event.data.length > MAX_BLOCK_BYTES) throw new Error('a block over its limit');
      }
      if (random(10) > 0) return;
      const [last] = [...splitter.push(FLUSH), ...splitter.push(END)].slice(-1);
      expect(last).toMatchObject({ kind: 'block', name: 'end' });
      splitter = new AttachmentSplitter();
    });
    expect(Math.min(kinds.frame, kinds.block, kinds.broken)).toBeGreaterThan(FUZZ_RUNS / 20);
  });

  it('holds no more than a block, whatever is waited for', () => {
    const chunk = new Uint8Array(10_000);
    const before = heldBytes();
    const starts = [ofHex('7e'), END.subarray(0, 50), encodeBlock({ name: 'a', offset: 0, data: FLUSH.subarray(100) })];
    const splitters = Array.from({ length: 100 }, (_, at) => {
      const splitter = new AttachmentSplitter();
      splitter.push((starts[at % starts.length] ?? END).slice(0, -1));
      for (let turn = 0; turn < 100; turn++) splitter.push(chunk);
      return splitter;
    });
    expect(splitters).toHaveLength(100);
    expect(heldBytes() - before).toBeLessThan(64 * 1024 * 1024);
  });
});

describe('damaged alarms', () => {
  const items = safetyVectors.flatMap((vector) => {
    const body = vector.protocol === 'jt808' ? decoded(vector).body : undefined;
    return body?.kind === 'position' ? body.items : [];
  });

  /** A quarter of the inputs are alarms: among fewer of them chance would decide whether there are enough. */
  const count = Math.max(2_000, FUZZ_RUNS);
  let alarms = 0;

  it('are alarms that can be sent on, or bytes', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fuzz((random) => {
      const item = pick(items, random);
      const value = Uint8Array.from(item.value, (byte) => (random(8) === 0 ? random(256) : byte));
      const broken = { id: pick(items, random).id, value: random(2) === 0 ? value : damaged(value, random) };
      const status = random(16);
      const details = positionDetails([broken], status);
      for (const adas of details.adas ?? []) expectStable('adas', adas, status);
      for (const driver of details.driverMonitoring ?? []) expectStable('driverMonitoring', driver, status);
      for (const tyres of details.tyres ?? []) expectStable('tyres', tyres, status);
      for (const blindSpot of details.blindSpot ?? []) expectStable('blindSpot', blindSpot, status);
      for (const style of details.drivingStyle ?? []) expectStable('drivingStyle', style, status);
    }, count);
    expect(alarms).toBeGreaterThan(count / 4);
  });

  /** What is sent on reads the same. */
  function expectStable<Kind extends SafetyKind>(kind: Kind, alarm: SafetyAlarm<Kind>, status: number): void {
    alarms++;
    expect(positionDetails([safetyItem(kind, alarm)], status)).toEqual({ [kind]: [alarm] });
  }
});
