import { describe, expect, it } from 'vitest';
import { AutoQuality, type QualitySample, qualityOf, withQuality } from '../../../../../shared/player/tile/quality.ts';

describe('the quality in an address', () => {
  it('stands beside what was there, and is left out for the main stream', () => {
    const main = 'wss://gateway/stream?deviceid=D&channel=1&audio=1';
    const sub = withQuality(main, 'sub');
    expect(sub).toBe(`${main}&quality=sub`);
    expect(withQuality(sub, 'sub')).toBe(sub);
    expect(withQuality(sub, 'main')).toBe(main);
    expect([qualityOf(main), qualityOf(sub)]).toEqual(['main', 'sub']);
  });
});

const big = { width: 1920, height: 1080 };
const base: QualitySample = {
  nowMs: 0,
  running: 'main',
  picture: big,
  box: { width: 960, height: 540 },
  delayMs: 0,
  gaps: 0,
};

/** What is chosen at each time, with the choice running from then on. */
function run(samples: readonly Partial<QualitySample>[], auto = new AutoQuality()) {
  let running = base.running;
  return samples.map((sample) => {
    running = auto.choose({ ...base, running, ...sample });
    return running;
  });
}

describe('the quality that nobody chose', () => {
  it('stays with the main stream in a tile that shows a fair part of its lines', () => {
    expect(run([{ nowMs: 0 }, { nowMs: 60_000 }])).toEqual(['main', 'main']);
  });

  it('takes the sub stream for a tile that has been far too small for a while, and not at once', () => {
    const box = { width: 320, height: 180 };
    expect(run([{ box }, { box, nowMs: 3_900 }, { box, nowMs: 4_000 }])).toEqual(['main', 'main', 'sub']);
  });

  it('takes the main stream again when the tile has grown, though the sub stream is all that is seen', () => {
    const box = { width: 320, height: 180 };
    const picture = { width: 352, height: 288 };
    const grown = { width: 1280, height: 720 };
    const chosen = run([
      { box },
      { box, nowMs: 4_000 },
      { box: grown, picture, nowMs: 5_000 },
      { box: grown, picture, nowMs: 5_500 },
    ]);
    expect(chosen).toEqual(['main', 'sub', 'sub', 'main']);
  });

  it('does not go to and fro at the edge', () => {
    const edge = { width: 480, height: 270 };
    const bit = { width: 520, height: 292 };
    const chosen = run([
      { box: edge },
      { box: edge, nowMs: 4_000 },
      { box: bit, nowMs: 9_000 },
      { box: bit, nowMs: 20_000 },
    ]);
    expect(chosen).toEqual(['main', 'sub', 'sub', 'sub']);
  });

  it('takes the sub stream at the second group left out, and tries the main one a minute later, then two', () => {
    const auto = new AutoQuality();
    expect(run([{ gaps: 1 }, { gaps: 2, nowMs: 1_000 }], auto)).toEqual(['main', 'sub']);
    auto.restarted();
    const sub = { running: 'sub' } as const;
    expect(auto.choose({ ...base, ...sub, nowMs: 60_000 })).toBe('sub');
    auto.choose({ ...base, ...sub, nowMs: 61_000 });
    expect(auto.choose({ ...base, ...sub, nowMs: 61_500 })).toBe('main');
    auto.restarted();
    expect(auto.choose({ ...base, gaps: 2, nowMs: 70_000 })).toBe('sub');
    auto.restarted();
    auto.choose({ ...base, ...sub, nowMs: 189_000 });
    expect(auto.choose({ ...base, ...sub, nowMs: 189_900 })).toBe('sub');
    auto.choose({ ...base, ...sub, nowMs: 190_000 });
    expect(auto.choose({ ...base, ...sub, nowMs: 190_500 })).toBe('main');
  });

  it('S-2.4.9 has no trouble with what was left out before the stream connected anew', () => {
    const auto = new AutoQuality();
    auto.choose({ ...base, gaps: 1 });
    auto.restarted(3);
    expect(
      run(
        [
          { gaps: 4, nowMs: 1_000 },
          { gaps: 5, nowMs: 2_000 },
        ],
        auto,
      ),
    ).toEqual(['main', 'sub']);
  });

  it('takes two groups left out far apart for bad luck', () => {
    expect(run([{ gaps: 1 }, { gaps: 2, nowMs: 21_000 }])).toEqual(['main', 'main']);
  });

  it('takes the sub stream when pictures are held back for long', () => {
    const late = { delayMs: 500 };
    expect(run([late, { ...late, nowMs: 4_900 }, { ...late, nowMs: 5_000 }])).toEqual(['main', 'main', 'sub']);
  });

  it('leaves a sub stream alone that gave no picture', () => {
    const auto = new AutoQuality();
    auto.failed('sub', 0);
    const box = { width: 320, height: 180 };
    expect(
      run(
        [
          { box, nowMs: 1 },
          { box, nowMs: 10_000 },
          { gaps: 5, nowMs: 10_001 },
        ],
        auto,
      ),
    ).toEqual(['main', 'main', 'main']);
  });

  it('never asks again for a main stream that the browser cannot decode', () => {
    const auto = new AutoQuality();
    expect(auto.instead('main', 0)).toBe('sub');
    auto.failed('main', 1);
    const sample = { nowMs: 1, running: 'sub', picture: undefined, box: { width: 4_000, height: 3_000 } } as const;
    for (const nowMs of [1, 10_000, 10_000_000]) {
      expect(auto.choose({ ...sample, nowMs, delayMs: 0, gaps: 0 })).toBe('sub');
    }
  });

  it('does not try a sub stream that gave no picture in place of one that cannot be decoded', () => {
    const auto = new AutoQuality();
    auto.failed('sub', 0);
    expect([auto.instead('main', 1), auto.instead('sub', 1)]).toEqual(['main', 'sub']);
  });
});
