import { describe, expect, it } from 'vitest';
import {
  checkTask,
  contentOfDraft,
  draftOfTask,
  NEW_TASK,
  NO_DAY,
  stagesOf,
  type TaskTexts,
} from '../../../../pages/innerpage/firmware/form/taskForm.ts';
import { aFirmwareTask } from '../../../support/firmware/firmwareRecords.ts';

const TEXTS: TaskTexts = {
  noName: 'no name',
  noImage: 'no image',
  badStages: 'bad stages',
  badDay: 'bad day',
  endsTooEarly: 'too early',
  range: (minimum, maximum) => `${minimum} to ${maximum}`,
};

const GOOD = { ...NEW_TASK, name: 'Winter', image: '1' };

describe('stages as they are typed', () => {
  it.each([
    ['10, 50, 100', [10, 50, 100]],
    ['100', [100]],
    ['10%、50% １００', [10, 50, 100]],
  ] as const)('%s', (text, stages) => {
    expect(stagesOf(text)).toEqual(stages);
  });

  it.each(['', '10, 50', '50, 10, 100', '10, 10, 100', '0, 100', '-5, 100', '10.5, 100', 'all', '50, 100, 200'])(
    'refuses %j',
    (text) => {
      expect(stagesOf(text)).toBeUndefined();
    },
  );

  it('refuses more than ten', () => {
    expect(stagesOf('1,2,3,4,5,6,7,8,9,100')).toHaveLength(10);
    expect(stagesOf('1,2,3,4,5,6,7,8,9,10,100')).toBeUndefined();
  });
});

describe('the form of a task', () => {
  const problems = (change: Partial<typeof GOOD>) =>
    Object.fromEntries(
      Object.entries(checkTask({ ...GOOD, ...change }, TEXTS)).filter(([, text]) => text !== undefined),
    );

  it('finds nothing wrong with the defaults', () => {
    expect(problems({})).toEqual({});
  });

  it.each([
    [{ name: ' ' }, { name: 'no name' }],
    [{ image: '' }, { image: 'no image' }],
    [{ fromDay: '2026-11-23', toDay: '2026-11-22' }, { toDay: 'too early' }],
    [{ fromDay: NO_DAY, toDay: '2026-11-22' }, { fromDay: 'bad day' }],
    [{ fromDay: '2026-11-23', toDay: NO_DAY }, { toDay: 'bad day' }],
    [{ concurrency: null }, { concurrency: '1 to 100' }],
    [{ concurrency: 101 }, { concurrency: '1 to 100' }],
    [{ minimumSignal: 32 }, { minimumSignal: '0 to 31' }],
    [{ requiredPercent: Number.NaN }, { requiredPercent: '0 to 100' }],
    [{ abortDevices: 0 }, { abortDevices: '1 to 1000' }],
    [{ pauseMinutes: 1.5 }, { pauseMinutes: '0 to 10080' }],
  ])('%j', (change, expected) => {
    expect(problems(change)).toEqual(expected);
  });

  it('takes nothing typed for no condition', () => {
    expect(problems({ parkedMinutes: null, minimumSignal: null })).toEqual({});
    expect(contentOfDraft({ ...GOOD, parkedMinutes: null, minimumSignal: null })).toMatchObject({
      parkedMinutes: 0,
      minimumSignal: 0,
    });
  });

  it('gives back the task that it was opened with', () => {
    const task = aFirmwareTask({
      deviceGroups: [4, 5],
      devices: ['BUS1'],
      window: [{ days: [1], fromMinute: 60, toMinute: 120 }],
      parkedMinutes: 0,
      minimumSignal: 12,
      canaries: ['BUS1'],
    });
    expect(task).toMatchObject(contentOfDraft(draftOfTask(task)));
  });
});
