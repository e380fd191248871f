import { describe, expect, it } from 'vitest';
import { AlarmOnsets } from '../../../../server/fleet/alarmOnsets.ts';

const kinds = (onsets: readonly { alarm: number }[]): number[] => onsets.map(({ alarm }) => alarm);

describe('the beginnings of alarms', () => {
  it('are the bits that were not set before', () => {
    const onsets = new AlarmOnsets();
    expect(kinds(onsets.note(1, 0b101, 0))).toEqual([0, 2]);
    expect(kinds(onsets.note(1, 0b111, 10))).toEqual([1]);
    expect(kinds(onsets.note(2, 0b001, 10))).toEqual([0]);
    expect(kinds(onsets.note(1, 0x8000_0000, 20))).toEqual([31]);
  });

  it('are none while an alarm stands, however long', () => {
    const onsets = new AlarmOnsets();
    onsets.note(1, 1, 0);
    expect(onsets.note(1, 1, 3_600_000)).toEqual([]);
    expect(onsets.note(1, 1, 7_200_000)).toEqual([]);
  });

  it('are counted anew only when the alarm was gone for a minute', () => {
    const onsets = new AlarmOnsets();
    onsets.note(1, 1, 0);
    onsets.note(1, 0, 1_000);
    expect(onsets.note(1, 1, 59_000)).toEqual([]);
    onsets.note(1, 0, 60_000);
    expect(onsets.note(1, 1, 119_000)).toEqual([{ incarnation: 1, alarm: 0, atMs: 119_000 }]);
  });

  it('leave out what stood before the start', () => {
    const onsets = new AlarmOnsets();
    onsets.begin(1, 1, 0);
    expect(kinds(onsets.note(1, 0b11, 100_000))).toEqual([1]);
  });
});
