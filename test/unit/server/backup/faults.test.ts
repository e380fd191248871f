import { expect, test } from 'vitest';
import { ArchiveFault, archiveFailure } from '../../../../server/backup/archive/faults.ts';

const error = (code: string) => Object.assign(new Error('of the engine'), { code });

test.each(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', '53100'])('%s is a full disk', (code) => {
  expect(archiveFailure(error(code))).toEqual({ ok: false, fault: 'disk-full', detail: 'of the engine' });
});

test.each(['SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_MISMATCH', '23505', '22P02'])('%s is a damaged archive', (code) => {
  expect(archiveFailure(error(code))).toMatchObject({ fault: 'damaged' });
});

test.each(['EIO', 'SQLITE_IOERR_WRITE', '08006', ''])('%s is no fault of an archive', (code) => {
  expect(archiveFailure(error(code))).toBeUndefined();
});

test('a fault of an archive is what it says, and what is no error is thrown on', () => {
  expect(archiveFailure(new ArchiveFault('truncated', 'at 5'))).toEqual({
    ok: false,
    fault: 'truncated',
    detail: 'at 5',
  });
  expect(archiveFailure('gone')).toBeUndefined();
});
