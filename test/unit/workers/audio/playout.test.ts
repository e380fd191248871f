import { describe, expect, it } from 'vitest';
import { Playout } from '../../../../workers/audio/playout.ts';
import { Resampler } from '../../../../workers/audio/resampler.ts';

const OUTPUT = 48_000;
const QUANTUM = 128;
const CHUNK_MS = 40;

const wave = (hertz: number, peak: number, rate: number, length: number, from = 0) =>
  Float32Array.from({ length }, (_, at) => Math.sin(((at + from) / rate) * 2 * Math.PI * hertz) * peak);
const peakOf = (samples: Float32Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

describe('Resampler', () => {
  it.each([
    [8_000, 48_000],
    [8_000, 44_100],
    [16_000, 44_100],
    [48_000, 44_100],
  ])('from %i to %i keeps a 1 kHz tone as it is, and adds nothing', (from, to) => {
    const resampler = new Resampler(from, to);
    const source = wave(1_000, 0.5, from, from);
    let at = 0;
    const output = Float32Array.from({ length: to / 2 }, () => resampler.next(() => source[at++] ?? 0, 1));
    const settled = output.slice(2_000);
    // Fit the tone, and look at what is left.
    let sine = 0;
    let cosine = 0;
    settled.forEach((sample, index) => {
      sine += sample * Math.sin((index / to) * 2 * Math.PI * 1_000);
      cosine += sample * Math.cos((index / to) * 2 * Math.PI * 1_000);
    });
    const [inPhase, quadrature] = [(2 * sine) / settled.length, (2 * cosine) / settled.length];
    expect(Math.hypot(inPhase, quadrature)).toBeCloseTo(0.5, 1.5);
    const rest = settled.map((sample, index) => {
      const angle = (index / to) * 2 * Math.PI * 1_000;
      return sample - inPhase * Math.sin(angle) - quadrature * Math.cos(angle);
    });
    expect(peakOf(rest)).toBeLessThan(0.01);
  });

  it('has no seam however the signal is cut into chunks', () => {
    const whole = new Resampler(8_000, OUTPUT);
    const source = wave(700, 0.5, 8_000, 8_000);
    let at = 0;
    const steps = Float32Array.from({ length: 20_000 }, () => whole.next(() => source[at++] ?? 0, 1));
    const jumps = steps.slice(200).map((sample, index) => Math.abs(sample - (steps[index + 199] ?? 0)));
    expect(peakOf(jumps)).toBeLessThan(0.5 * ((2 * Math.PI * 700) / OUTPUT) * 1.05);
  });
});

function setUp(options: { readonly peak?: number; readonly limit?: number } = {}) {
  const { peak = 0.1, limit = 50 } = options;
  const playout = new Playout(OUTPUT);
  const length = (8_000 * CHUNK_MS) / 1_000;
  let sent = 0;
  const push = (count = 1) => {
    for (let index = 0; index < count; index++) {
      playout.push({ samples: wave(1_000, peak, 8_000, length, sent * length), sampleRate: 8_000, limit });
      sent++;
    }
  };
  const pull = (durationMs: number): Float32Array => {
    const quanta = Math.round((durationMs * OUTPUT) / 1_000 / QUANTUM);
    const output = new Float32Array(quanta * QUANTUM);
    for (let at = 0; at < output.length; at += QUANTUM) playout.pull(output.subarray(at, at + QUANTUM));
    return output;
  };
  return { playout, push, pull };
}

/** Milliseconds in which something is heard. */
const heardMs = (output: Float32Array) => {
  let quanta = 0;
  for (let at = 0; at < output.length; at += QUANTUM) if (peakOf(output.slice(at, at + QUANTUM)) > 0.01) quanta++;
  return (quanta * QUANTUM * 1_000) / OUTPUT;
};

describe('Playout', () => {
  it('is silent before the first chunk and twenty milliseconds behind it', () => {
    const { push, pull } = setUp();
    expect(peakOf(pull(100))).toBe(0);
    push(2);
    expect(peakOf(pull(18))).toBe(0);
    expect(peakOf(pull(40))).toBeGreaterThan(0.3);
  });

  it('S-9.10: plays five times as loud, and clips what is then too loud', () => {
    const quiet = setUp({ peak: 0.1 });
    quiet.push(10);
    quiet.pull(100);
    expect(peakOf(quiet.pull(200))).toBeCloseTo(0.5, 1.3);
    const loud = setUp({ peak: 0.5 });
    loud.push(10);
    loud.pull(100);
    const output = loud.pull(200);
    expect(peakOf(output)).toBe(1);
    // Wrapped, a sample at full scale would stand beside one at the other end.
    const jumps = output.slice(1).map((sample, index) => Math.abs(sample - (output[index] ?? 0)));
    expect(peakOf(jumps)).toBeLessThan(0.5);
  });

  it('plays a stream that comes evenly without a gap', () => {
    const { push, pull } = setUp();
    push();
    pull(60);
    let heard = 0;
    for (let round = 0; round < 250; round++) {
      push();
      heard += heardMs(pull(CHUNK_MS));
    }
    expect(heard).toBeGreaterThan(9_800);
  });

  it('S-9.9: holds no more than the limit, the newest', () => {
    const { playout, push } = setUp({ limit: 20 });
    push(200);
    expect(playout.heldMs).toBeLessThanOrEqual(20 * CHUNK_MS + 20);
  });

  it('has played a backlog off after two seconds, and is back near the present', () => {
    const { playout, push, pull } = setUp();
    push(30);
    for (let round = 0; round < 50; round++) {
      push();
      pull(CHUNK_MS);
    }
    expect(playout.heldMs).toBeLessThan(300);
  });

  it('learns from gaps how late the network may be', () => {
    const { push, pull } = setUp();
    let late = 0;
    let early = 0;
    for (let round = 0; round < 60; round++) {
      // Two chunks every 80 ms, the second pair of them 35 ms late.
      push(2);
      const heard = heardMs(pull(round % 2 === 0 ? 115 : 45));
      if (round < 10) early += heard;
      if (round >= 50) late += heard;
    }
    expect(late).toBeGreaterThan(early);
    expect(late).toBeGreaterThan(780);
  });

  it('holds as much back as the pictures are', () => {
    const { playout, push, pull } = setUp();
    playout.setDelay(200);
    push(2);
    expect(peakOf(pull(195))).toBe(0);
    expect(peakOf(pull(40))).toBeGreaterThan(0.3);
  });

  it('forgets what it holds', () => {
    const { playout, push, pull } = setUp();
    push(10);
    pull(60);
    playout.clear();
    pull(10);
    expect(peakOf(pull(100))).toBe(0);
  });
});
