import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { budgetRow, REPORT_BUDGET_US, SIGN_IN_BUDGET_US, YARDSTICK_US } from '../../../bench/storm/budget.ts';
import { PARTS, partOf, timesOf } from '../../../bench/storm/parts.ts';

const nodeAt = (url: string, functionName = 'run') => ({ id: 1, callFrame: { functionName, url } });
const sumOf = (budgetUs: Readonly<Record<string, number>>): number =>
  Object.values(budgetUs).reduce((sum, us) => sum + us, 0);

describe('parts of the main thread', () => {
  it.each([
    ['file:///x/dist/gateway/server/device/jt808/outbox.js', 'protocol'],
    ['file:///x/dist/gateway/server/device/usage/socketUse.js', 'usage'],
    ['file:///x/dist/gateway/server/device/registry.js', 'reports'],
    ['file:///x/dist/gateway/server/app/events.js', 'rules and events'],
    ['file:///x/dist/gateway/server/app/tracks/tracks.js', 'tracks'],
    ['file:///x/dist/gateway/server/store/fences/fences.js', 'statements'],
    ['file:///x/node_modules/kysely/dist/esm/kysely.js', 'statements'],
    ['node:internal/streams/readable', 'connections'],
    ['node:internal/timers', 'other'],
  ] as const)('finds whose %s is', (url, part) => {
    expect(partOf(nodeAt(url))).toBe(part);
  });

  it('counts what the engine does, and no idleness', () => {
    expect(partOf(nodeAt('', '(garbage collector)'))).toBe('garbage');
    expect(partOf(nodeAt('', 'writeBuffer'))).toBe('connections');
    expect(partOf(nodeAt('', '(idle)'))).toBeUndefined();
  });

  it('adds up the time of the samples', () => {
    const nodes = [
      { ...nodeAt('file:///x/server/fences/engine/fenceEngine.js'), id: 1 },
      { ...nodeAt('', '(idle)'), id: 2 },
    ];
    const times = timesOf({ nodes, samples: [1, 2, 1], timeDeltas: [10, 500, 30] });
    expect(times.get('fences')).toBe(40);
    expect([...times.values()].reduce((sum, us) => sum + us, 0)).toBe(40);
  });
});

describe('budget', () => {
  const timesUs = new Map([['fences' as const, 10 * sumOf(REPORT_BUDGET_US)]]);
  const spent = { what: 'a report', count: 10, timesUs, budgetUs: REPORT_BUDGET_US };

  it('holds for the sum, on a machine as fast as the one it was made on', () => {
    expect(budgetRow(spent, YARDSTICK_US)).toMatchObject({ 'within budget': 'yes' });
    expect(budgetRow({ ...spent, count: 9.9 }, YARDSTICK_US)).toMatchObject({ 'within budget': 'no' });
  });

  it('is as much larger as the machine is slower', () => {
    expect(budgetRow({ ...spent, count: 5 }, 2 * YARDSTICK_US)).toMatchObject({ 'within budget': 'yes' });
    expect(budgetRow(spent, YARDSTICK_US / 2)).toMatchObject({ 'within budget': 'no' });
  });

  it('is the one of the documentation', async () => {
    const text = await readFile('docs/bench.md', 'utf8');
    for (const part of PARTS)
      expect(text).toMatch(
        new RegExp(`\\| ${part} \\|.*\\| ${REPORT_BUDGET_US[part]} \\| ${SIGN_IN_BUDGET_US[part]} \\|`),
      );
    expect(text).toContain(`| ${sumOf(REPORT_BUDGET_US)} | ${sumOf(SIGN_IN_BUDGET_US)} |`);
    expect(text).toContain(`a yardstick of ${YARDSTICK_US} µs`);
  });
});
