import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  archiveFolder,
  archiveIdOfFolder,
  parseFileName,
  segmentPath,
  sidecarPath,
} from '../../../../server/recording/segmentPath.ts';
import { isDeviceId } from '../../../../shared/protocol/deviceId.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';

describe('a segment’s place', () => {
  const name = {
    archiveId: 'BUS-101',
    channel: 3,
    quality: 'main',
    startMs: wallMs(Date.UTC(2026, 10, 21, 23, 59, 7, 45)),
  } as const;

  it('is named by archive, channel, day and time of its start, in UTC', () => {
    expect(segmentPath(name)).toBe('BUS-101/ch3/2026-11-21/235907.045-main.seg');
    expect(sidecarPath({ ...name, quality: 'sub' })).toBe('BUS-101/ch3/2026-11-21/235907.045-sub.idx');
  });

  it('gives start and quality back from the names of day and file', () => {
    const read = parseFileName('2026-11-21', '235907.045-main.seg');
    expect(read).toEqual({ startMs: name.startMs, quality: 'main', kind: 'segment' });
    expect(parseFileName('2026-11-21', '235907.045-sub.idx')).toMatchObject({ quality: 'sub', kind: 'sidecar' });
  });

  it.each([
    ['2026-11-21', '235907.045-main.seg.new'],
    ['2026-11-21', '235907-main.seg'],
    ['2026-11-21', '245907.045-main.seg'],
    ['2026-11-21', '235960.045-main.seg'],
    ['2026-02-30', '000000.000-main.seg'],
    ['..', '235907.045-main.seg'],
    ['2026-11-21', '235907.045-other.seg'],
  ])('takes %s/%s for none of ours', (day, file) => {
    expect(parseFileName(day, file)).toBeUndefined();
  });
});

describe('an archive’s folder', () => {
  it.each([
    ['BUS-101', 'BUS-101'],
    ['a b', 'a%20b'],
    ['..x', '%2E%2Ex'],
    ['車', '%E8%BB%8A'],
    ['~', '%7E'],
  ])('of %j is %s', (archiveId, folder) => {
    expect(archiveFolder(archiveId)).toBe(folder);
    expect(archiveIdOfFolder(folder)).toBe(archiveId);
  });

  it('stays within a file system’s names, is one path segment, and no two archives share it', () => {
    const ids = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 }).filter(isDeviceId);
    fc.assert(
      fc.property(ids, ids, (left, right) => {
        const folder = archiveFolder(left);
        expect(folder).toMatch(/^[A-Za-z0-9_%~-]{1,200}$/);
        expect(archiveFolder(right) === folder).toBe(left === right);
        const back = archiveIdOfFolder(folder);
        expect(back === undefined || back === left).toBe(true);
      }),
    );
  });

  it('of an id too long to stand in it ends in a hash and is not read back', () => {
    const folder = archiveFolder('車'.repeat(64));
    expect(folder).toHaveLength(200);
    expect(folder).toMatch(/~[0-9a-f]{32}$/);
    expect(archiveIdOfFolder(folder)).toBeUndefined();
  });

  it.each(['', '.', '..', 'a b', '%zz', '%FF', '%41', '%e8%bb%8a', 'lost+found'])('is not %j', (folder) => {
    expect(archiveIdOfFolder(folder)).toBeUndefined();
  });
});
