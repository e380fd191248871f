import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isSpentSince, othersShare, type ProcessorTime, processorTime } from '../../../support/runner/processorTime.ts';
import { cpuSecondsOf, parseStat, treeOf } from '../../../support/runner/processTree.ts';

const at = (busySeconds: number, idleSeconds: number, ownSeconds: number): ProcessorTime => ({
  busySeconds,
  idleSeconds,
  ownSeconds,
});

/** A line of /proc/PID/stat up to the ticks: own user and system, those of ended children. */
const line = (id: number, parentId: number, ticks: readonly [number, number, number, number], name = 'node') =>
  `${id} (${name}) S ${parentId} 1 1 0 -1 4194560 100 200 0 0 ${ticks.join(' ')} 20 0 11 0 12345`;

describe('what others took', () => {
  it.each([
    ['nobody', at(0, 10, 0), 0],
    ['the product alone, all of the machine', at(10, 0, 10), 0],
    ['two busy loops beside an idle product', at(10, 0, 0.2), 0.98],
    ['two busy loops beside a busy product', at(10, 0, 6), 0.4],
    ['another test beside a product with time to spare', at(6, 4, 3), 0.3],
    ['more than there was, as ticks are counted at different moments', at(5, 5, 5.1), 0],
    ['all that was used, where what the test used has left the count', at(5, 5, -3), 0.5],
    ['nothing that could be measured', at(0, 0, 0), 0],
  ])('is that of %s', (_, after, share) => {
    expect(othersShare(at(0, 0, 0), after)).toBeCloseTo(share, 6);
  });
});

describe('what the test took', () => {
  it('is read from the kernel, whatever the process is called', () => {
    expect(parseStat(line(7, 3, [150, 50, 25, 75], 'a (b) c'))).toEqual({
      id: 7,
      parentId: 3,
      cpuSeconds: 2,
      reapedCpuSeconds: 1,
    });
  });

  it('is that of a process and all below it, and of no other', () => {
    const processes = [
      [30, 20],
      [1, 0],
      [20, 10],
      [10, 1],
      [40, 1],
    ].map(([id = 0, parentId = 0]) => parseStat(line(id, parentId, [100, 0, 50, 0])));
    const tree = treeOf(10, processes);
    expect(tree.map(({ id }) => id).sort()).toEqual([10, 20, 30]);
    expect(cpuSecondsOf(tree)).toBe(4.5);
  });

  it('is the same before and after one of them has ended', () => {
    const before = [parseStat(line(10, 1, [100, 0, 0, 0])), parseStat(line(20, 10, [300, 0, 0, 0]))];
    const after = [parseStat(line(10, 1, [100, 0, 300, 0]))];
    expect(cpuSecondsOf(treeOf(10, after))).toBe(cpuSecondsOf(treeOf(10, before)));
  });

  it.runIf(process.platform === 'linux')('holds what a process used that came and went meanwhile', async () => {
    const before = await processorTime();
    const loop = 'const end = process.cpuUsage().user + 400_000; while (process.cpuUsage().user < end);';
    spawnSync(process.execPath, ['-e', loop]);
    expect((await processorTime()).ownSeconds - before.ownSeconds).toBeGreaterThan(0.35);
  });
});

it('is asked of a second at the least, and of no time does not count as spent', async () => {
  const before = await processorTime();
  const beganMs = performance.now();
  await isSpentSince(before);
  expect(performance.now() - beganMs).toBeGreaterThan(900);
});
