import { describe, expect, it } from 'vitest';
import { digestLines } from '../../../../../server/notify/templates/digestLines.ts';

const line = (device: string) => ({ time: '2026-11-23 08:15:00', type: 'Speeding', device });
const MORE = 'and {{count}} more';

describe('the lines of a digest', () => {
  it('name each event, up to fifty, and say how many there are beyond', () => {
    expect(digestLines([line('Bus 1'), line('Bus 2')], MORE)).toBe(
      '2026-11-23 08:15:00 Speeding, Bus 1\n2026-11-23 08:15:00 Speeding, Bus 2',
    );
    const lines = digestLines(
      Array.from({ length: 53 }, () => line('Bus')),
      MORE,
    ).split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([51, 'and 3 more']);
  });

  it('of long names are as many as one value may be long, and the rest is counted', () => {
    const text = digestLines(
      Array.from({ length: 60 }, () => line('x'.repeat(120))),
      MORE,
    );
    const lines = text.split('\n');
    expect(text.length).toBeLessThan(4_000);
    expect(lines.at(-1)).toBe(`and ${60 - (lines.length - 1)} more`);
    expect(lines.length).toBeGreaterThan(20);
  });
});
