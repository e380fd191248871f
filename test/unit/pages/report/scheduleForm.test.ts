import { describe, expect, it } from 'vitest';
import {
  checkSchedule,
  contentOfDraft,
  draftOfSchedule,
  newSchedule,
} from '../../../../pages/innerpage/report/schedules/scheduleForm.ts';

const TEXTS = {
  noMoment: '',
  endFirst: '',
  tooLong: '',
  range: () => '',
  noName: 'no name',
  noTime: 'no time',
  noSender: 'no sender',
  noRecipient: 'no recipient',
  badAddress: (address: string) => `not ${address}`,
};
const COMPLETE = {
  ...newSchedule('trips', 'Europe/Berlin', 'en' as const),
  name: ' Monthly ',
  every: 'monthly' as const,
  monthDay: '31',
  time: '23:59',
  sender: '4',
  recipients: ['depot@example.org'],
};

describe('the form of a schedule', () => {
  it('is saved with the time in minutes, and the day of its step alone', () => {
    expect(contentOfDraft(COMPLETE, ['devices'])).toMatchObject({
      name: 'Monthly',
      every: 'monthly',
      monthDay: 31,
      weekday: 0,
      minuteOfDay: 1_439,
      sender: 4,
    });
  });

  it('comes back from what was saved', () => {
    const stored = {
      ...contentOfDraft(COMPLETE, ['devices']),
      id: 1,
      version: 2,
      pause: '' as const,
      lastRunAtMs: 0 as never,
      lastJob: 0,
      lastDelivery: '' as const,
      nextRunAtMs: 0 as never,
    };
    expect(draftOfSchedule(stored)).toEqual({ ...COMPLETE, name: 'Monthly' });
  });

  it.each([
    ['a name', { name: ' ' }, { name: 'no name' }],
    ['a time', { time: '24:00' }, { time: 'no time' }],
    ['a time that is one', { time: '6:30' }, { time: 'no time' }],
    ['a sender', { sender: '' }, { sender: 'no sender' }],
    ['a recipient', { recipients: [] }, { recipients: 'no recipient' }],
    ['mail addresses', { recipients: ['a@b', 'c'] }, { recipients: 'not c' }],
  ])('asks for %s', (_, part, problem) => {
    expect(checkSchedule({ ...COMPLETE, ...part }, TEXTS)).toMatchObject(problem);
  });
});
