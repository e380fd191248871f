import { describe, expect, it } from 'vitest';
import { actsOf, mayDelete, mayEdit } from '../../../../pages/innerpage/firmware/task/acts.ts';
import { retriesOf, stageCounts } from '../../../../pages/innerpage/firmware/tasks/stageCounts.ts';
import { FIRMWARE_DEVICE_STATES, FIRMWARE_TASK_STATES } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { aFirmwareTask, stageProgress } from '../../../support/firmware/firmwareRecords.ts';

describe('the stages of a task', () => {
  it('are its percentages, after the canaries where there are some', () => {
    expect(stageCounts(aFirmwareTask()).map(({ percent }) => percent)).toEqual([10, 50, 100]);
    const [canaries, first] = stageCounts(aFirmwareTask({ canaries: ['BUS1'] }));
    expect(canaries).toMatchObject({ isCanary: true, at: 0 });
    expect(first).toMatchObject({ isCanary: false, percent: 10, at: 1 });
  });

  it('count each device once, whatever its state', () => {
    const progress = [FIRMWARE_DEVICE_STATES.map(() => 1)];
    const [first, second] = stageCounts(aFirmwareTask({ progress }));
    expect(first?.total).toBe(FIRMWARE_DEVICE_STATES.length);
    expect(first?.counts).toEqual({ done: 1, active: 4, waiting: 2, failed: 2, ended: 2 });
    expect(second?.total).toBe(0);
  });

  it('are current while the task has begun and is not over', () => {
    const current = (state: (typeof FIRMWARE_TASK_STATES)[number]) =>
      stageCounts(aFirmwareTask({ state, stage: 1 })).filter(({ isCurrent }) => isCurrent).length;
    expect(FIRMWARE_TASK_STATES.map(current)).toEqual([0, 0, 1, 1, 0, 0]);
  });
});

describe('what can be done with a task', () => {
  const failed = { progress: [stageProgress({ done: 3, refused: 1 })] };

  it.each([
    ['draft', {}, ['approve']],
    ['draft', { mayApprove: false }, []],
    ['approved', {}, ['start']],
    ['running', {}, ['pause', 'stop']],
    ['running', failed, ['pause', 'stop', 'retry']],
    ['paused', failed, ['resume', 'stop', 'retry']],
    ['stopped', {}, []],
    ['stopped', failed, ['retry']],
    ['stopped', { progress: [stageProgress({ done: 3, canceled: 1 })] }, ['retry']],
    ['stopped', { progress: [stageProgress({ done: 3, skipped: 1 })] }, []],
    ['done', failed, ['retry']],
  ] as const)('%s, %j', (state, fields, acts) => {
    expect(actsOf(aFirmwareTask({ ...fields, state } as Parameters<typeof aFirmwareTask>[0]))).toEqual(acts);
  });

  it('is a retry of what failed, was refused or canceled in any stage, and of nothing else', () => {
    const progress = [stageProgress({ failed: 1, done: 9 }), stageProgress({ refused: 2, canceled: 5, skipped: 4 })];
    expect(retriesOf(aFirmwareTask({ progress }))).toBe(8);
  });

  it('is a change until it has started, and its removal unless it is under way', () => {
    const statesFor = (may: typeof mayEdit) => FIRMWARE_TASK_STATES.filter((state) => may({ state }));
    expect(statesFor(mayEdit)).toEqual(['draft', 'approved']);
    expect(statesFor(mayDelete)).toEqual(['draft', 'approved', 'stopped', 'done']);
  });
});
