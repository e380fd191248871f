import { expect, it } from 'vitest';
import { BACKUP_TABS, queryOfTab, tabOfQuery } from '../../../../pages/innerpage/sysbackup/backupAddress.ts';
import { headWarnings, lastEnded } from '../../../../pages/innerpage/sysbackup/head/headFacts.ts';
import { aBackup } from '../../../support/backup/backupRecords.ts';

it('warns of what would cost a backup or its keys', () => {
  const well = { enabled: true, encryption: 'passphrase' } as const;
  expect(headWarnings({ isFolderSet: true }, well)).toEqual([]);
  expect(headWarnings({ isFolderSet: false }, { enabled: false, encryption: 'none' })).toEqual([
    'no-plan',
    'not-encrypted',
    'same-disk',
  ]);
});

it('takes the newest backup that has ended for the last, well or not', () => {
  const [running, failed, done] = [
    aBackup({ id: 3, state: 'running' }),
    aBackup({ id: 2, state: 'failed' }),
    aBackup({ id: 1 }),
  ];
  expect(lastEnded([running, failed, done])?.id).toBe(2);
  expect(lastEnded([running])).toBeUndefined();
});

it('finds the tab that an address names', () => {
  for (const tab of BACKUP_TABS) expect(tabOfQuery(queryOfTab(tab))).toBe(tab);
  expect(queryOfTab('backups')).toBe('');
  expect(tabOfQuery('tab=gone')).toBe('backups');
});
