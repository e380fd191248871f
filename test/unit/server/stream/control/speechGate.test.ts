import { describe, expect, it } from 'vitest';
import { readSpeech, SpeechGate } from '../../../../../server/stream/control/speechGate.ts';

describe('SpeechGate', () => {
  const create = () => {
    const clock = { nowMs: 1_000 };
    return { clock, gate: new SpeechGate(8_000, () => clock.nowMs) };
  };

  it('passes everything that comes as fast as it is spoken', () => {
    const { clock, gate } = create();
    for (let message = 0; message < 1_000; message++) {
      expect(gate.admit(new Int16Array(160))).toHaveLength(160);
      clock.nowMs += 20;
    }
  });

  it('passes what a network held back for a moment', () => {
    const { clock, gate } = create();
    gate.admit(new Int16Array(160));
    clock.nowMs += 300;
    for (let message = 0; message < 15; message++) expect(gate.admit(new Int16Array(160))).toHaveLength(160);
  });

  it('drops a backlog, and keeps of one message the newest samples', () => {
    const { clock, gate } = create();
    const spoken = Int16Array.from({ length: 8_000 }, (_, index) => index);
    const admitted = gate.admit(spoken);
    expect([admitted.length, admitted.at(-1)]).toEqual([3_200, 7_999]);
    expect(gate.admit(spoken)).toHaveLength(0);
    clock.nowMs += 100;
    expect(gate.admit(spoken)).toHaveLength(800);
  });

  it('never lets a terminal fall behind by more than a moment, however it is flooded', () => {
    const { clock, gate } = create();
    let passed = 0;
    for (let elapsedMs = 0; elapsedMs < 10_000; elapsedMs += 5, clock.nowMs += 5) {
      passed += gate.admit(new Int16Array(1 + ((elapsedMs * 7_919) % 4_000))).length;
    }
    expect(passed).toBeGreaterThan(79_000);
    expect(passed).toBeLessThanOrEqual(80_000 + 3_200);
  });
});

describe('readSpeech', () => {
  it('reads little-endian samples from any offset and leaves out half a sample', () => {
    const bytes = Uint8Array.from([9, 1, 0, 0xff, 0xff, 0, 0x80, 5]).subarray(1);
    expect([...readSpeech(bytes)]).toEqual([1, -1, -32_768]);
    expect(readSpeech(new Uint8Array(0))).toHaveLength(0);
    expect(readSpeech(Uint8Array.of(7))).toHaveLength(0);
  });
});
