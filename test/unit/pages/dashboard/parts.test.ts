import { describe, expect, it } from 'vitest';
import { chartPoints } from '../../../../pages/innerpage/dashboard/figures/chartPoints.ts';
import {
  bitRateText,
  bytesText,
  daysNumber,
  percentText,
} from '../../../../pages/innerpage/dashboard/figures/figureTexts.ts';
import { channelFacts } from '../../../../pages/innerpage/dashboard/panel/channelState.ts';
import { isPassing, mergeLinks } from '../../../../pages/innerpage/dashboard/wall/viewLinks.ts';
import {
  distinct,
  draftFaults,
  draftOf,
  moved,
  wallOf,
  withChannel,
} from '../../../../pages/innerpage/dashboard/wall/wallDraft.ts';
import { hashOfWall, nextWall, wallColumns, wallOfHash } from '../../../../pages/innerpage/dashboard/wall/wallTurn.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';

describe('figures as text', () => {
  it('show a rate below the whole as less than the whole', () => {
    expect([1, 0.9999, 0.5, 0.0001, 0, null, undefined].map(percentText)).toEqual([
      '100%',
      '99.9%',
      '50.0%',
      '0.1%',
      '0%',
      '–',
      '–',
    ]);
  });

  it('show bytes, rates and days with as many digits as mean something', () => {
    expect([0, 999, 1_500, 999_600, 2.5e12].map(bytesText)).toEqual(['0 B', '999 B', '1.5 kB', '1.0 MB', '2.5 TB']);
    expect([125_000, 50_000_000].map(bitRateText)).toEqual(['1.0 Mbit/s', '400 Mbit/s']);
    expect([1.25, 30.4].map(daysNumber)).toEqual(['1.3', '30']);
  });

  it('leave a hole in the line where nothing was measured', () => {
    const points = [0, 10, 40].map((atMs) => ({ atMs: wallMs(atMs), rate: 0.5 }));
    expect(chartPoints({ points, stepMs: 10 })).toEqual([
      { atMs: 0, percent: 50 },
      { atMs: 10, percent: 50 },
      { atMs: 20, percent: null },
      { atMs: 40, percent: 50 },
    ]);
  });
});

describe('the cameras of a device', () => {
  it('tell cameras with a picture from lost and absent ones', () => {
    const states = channelFacts({ chn: 4, installchs: '1101', livechs: '10' }).map(({ state }) => state);
    expect(states).toEqual(['live', 'lost', 'absent', 'live']);
    expect(channelFacts({ chn: 1, installchs: '', livechs: '' })).toEqual([{ channel: 1, state: 'live' }]);
  });
});

describe('walls', () => {
  const wall = (name: string, cycleSeconds: number) => ({ name, cycleSeconds, channels: [] });
  const one = { deviceid: 'A', channel: 1 };
  const two = { deviceid: 'A', channel: 2 };

  it('follow one another in the turn, without those that take no part', () => {
    const walls = [wall('A', 10), wall('B', 0), wall('C', 5)];
    expect(nextWall(walls, 'A')?.name).toBe('C');
    expect(nextWall(walls, 'C')?.name).toBe('A');
    expect(nextWall(walls, 'B')?.name).toBe('A');
    expect(nextWall([wall('A', 10), wall('B', 0)], 'A')).toBeUndefined();
    expect(nextWall([wall('B', 0)], 'B')).toBeUndefined();
  });

  it('give their tiles the most room that the window has', () => {
    expect(wallColumns(1, 1920, 1080)).toBe(1);
    expect(wallColumns(4, 1920, 1080)).toBe(2);
    expect(wallColumns(8, 1920, 1080)).toBe(3);
    expect(wallColumns(4, 360, 700)).toBe(1);
    expect(wallColumns(3, 3000, 500)).toBe(3);
  });

  it('are named by the address, whatever the name', () => {
    for (const inTurn of [false, true]) {
      const address = { name: 'Gates & = #1', inTurn };
      expect(wallOfHash(hashOfWall(address))).toEqual(address);
    }
    expect(wallOfHash('')).toBeUndefined();
    expect(wallOfHash('#wall=')).toBeUndefined();
  });

  it('are whole with a name of their own, a channel and a time', () => {
    const draft = { ...draftOf(undefined), name: ' Gates ', channels: [one] };
    expect(draftFaults(draft, ['Yard'])).toEqual({});
    expect(wallOf(draft)).toEqual({ name: 'Gates', channels: [one], cycleSeconds: 20 });
    expect(wallOf({ ...draft, seconds: ' ４５ ' }).cycleSeconds).toBe(45);
    expect(draftFaults({ ...draft, name: ' ' }, [])).toEqual({ name: 'missing' });
    expect(draftFaults(draft, ['Gates'])).toEqual({ name: 'taken' });
    expect(draftFaults({ ...draft, channels: [] }, [])).toEqual({ channels: 'missing' });
    for (const seconds of ['', '-1', '3601', '1.5', 'x']) {
      expect(draftFaults({ ...draft, seconds }, []), seconds).toEqual({ seconds: 'out-of-range' });
    }
    expect(draftOf({ name: 'A', channels: [two], cycleSeconds: 0 })).toEqual({
      name: 'A',
      channels: [two],
      seconds: '0',
    });
  });

  it('keep a picture while the gateway cannot say whether it may be seen, and end it when it may not', () => {
    const link = { kind: 'link', link: 'A/mei/x' } as const;
    const refused = { kind: 'refused', text: 'no such device' } as const;
    const unknown = { kind: 'unknown', text: 'not reached' } as const;
    const before = new Map([['A', link]]);
    expect(mergeLinks(before, [['A', unknown]]).get('A')).toEqual(link);
    expect(mergeLinks(before, [['A', refused]]).get('A')).toEqual(refused);
    // A tile without a picture says why.
    expect(mergeLinks(before, [['B', unknown]]).get('B')).toEqual({ kind: 'refused', text: 'not reached' });
    expect(mergeLinks(new Map([['B', refused]]), [['B', link]]).get('B')).toEqual(link);
    expect([401, 403, 404, 429, 500, 503].filter(isPassing)).toEqual([429, 500, 503]);
  });

  it('hold each channel once, up to their limit, in the order that is wanted', () => {
    expect(withChannel([one], two, 2)).toEqual([one, two]);
    expect(withChannel([one, two], one, 2)).toEqual([one, two]);
    expect(withChannel([one], two, 1)).toEqual([one]);
    expect(distinct([one, two, { ...one }])).toEqual([one, two]);
    expect(moved([one, two], 0, 1)).toEqual([two, one]);
    expect(moved([one, two], 0, -1)).toEqual([one, two]);
  });
});
