import { beforeEach, describe, expect, it } from 'vitest';
import { ReceivedRanges } from '../../../../../server/device/attachments/receivedRanges.ts';
import {
  DEVICE_PARTIAL_FILES_LIMIT,
  PARTIAL_FILES_LIMIT,
  PARTIAL_KEPT_MS,
  type PartialFile,
  PartialFiles,
} from '../../../../../server/events/evidence/partialFiles.ts';
import { OWNERS_BY_HUNDRED } from '../../../../support/fakes/deviceOwners.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../../support/fakes/noFaults.ts';

const FILE = {
  write: async () => true,
  finish: () => Promise.reject(new Error('read')),
  discard: async () => undefined,
};

let timers: ManualTimers;
let settled: string[];
let limits: string[];
let partials: PartialFiles;

beforeEach(() => {
  [timers, settled, limits] = [new ManualTimers(), [], []];
  partials = new PartialFiles({
    owners: OWNERS_BY_HUNDRED,
    runAfter: timers.runAfter,
    onLimit: ({ name }) => void limits.push(name),
    onFault: noFaults,
  });
});

function aPart(name: string, change: Partial<PartialFile> = {}): PartialFile {
  const settle = async (): Promise<void> => void settled.push(name);
  const received = new ReceivedRanges(10, 4);
  return { alarmNumber: 'a', archiveNumber: 1, name, sizeBytes: 10, file: FILE, received, settle, ...change };
}

describe('files whose connection broke off', () => {
  it('are taken once by the next connection, which owns them', () => {
    const part = aPart('one');
    partials.setAside(part);
    expect(partials.take({ alarmNumber: 'b', name: 'one', sizeBytes: 10 })).toBeUndefined();
    expect(partials.take({ alarmNumber: 'a', name: 'one', sizeBytes: 10 })).toBe(part);
    expect(partials.take({ alarmNumber: 'a', name: 'one', sizeBytes: 10 })).toBeUndefined();
    timers.advance(PARTIAL_KEPT_MS);
    expect([settled, timers.pending]).toEqual([[], 0]);
  });

  it('are settled when nobody takes them in time, with their alarm, at a stop, or when another size is announced', async () => {
    partials.setAside(aPart('late'));
    timers.advance(PARTIAL_KEPT_MS - 1);
    expect(settled).toEqual([]);
    timers.advance(1);
    expect(settled).toEqual(['late']);
    for (const name of ['size', 'alarm']) partials.setAside(aPart(name));
    expect(partials.take({ alarmNumber: 'a', name: 'size', sizeBytes: 11 })).toBeUndefined();
    partials.setAside(aPart('stop', { alarmNumber: 'b' }));
    await partials.settleOf('a');
    expect(settled).toEqual(['late', 'size', 'alarm']);
    await partials.close();
    partials.setAside(aPart('after'));
    expect([settled, partials.count]).toEqual([['late', 'size', 'alarm', 'stop', 'after'], 0]);
  });

  it('of a device, and of all, are settled beyond their limits, the oldest first', () => {
    for (let at = 0; at <= DEVICE_PARTIAL_FILES_LIMIT.max; at++) partials.setAside(aPart(`${at}`));
    expect([settled, limits]).toEqual([['0'], [DEVICE_PARTIAL_FILES_LIMIT.name]]);
    for (let at = partials.count; at < PARTIAL_FILES_LIMIT.max; at++) {
      partials.setAside(aPart(`of ${at}`, { archiveNumber: at + 2 }));
    }
    expect(limits).toHaveLength(1);
    partials.setAside(aPart('beyond', { archiveNumber: 999 }));
    expect([settled, limits[1]]).toEqual([['0', '1'], PARTIAL_FILES_LIMIT.name]);
  });

  it('of a member group that has many make room for those of another one, whose older ones stay', () => {
    partials.setAside(aPart('older of another', { archiveNumber: 201 }));
    for (let at = 1; at < PARTIAL_FILES_LIMIT.max; at++)
      partials.setAside(aPart(`${at}`, { archiveNumber: 100 + (at % 40) }));
    partials.setAside(aPart('newer of another', { archiveNumber: 202 }));
    expect([settled, limits]).toEqual([['1'], [PARTIAL_FILES_LIMIT.name]]);
  });
});
