// Backups, plans and dry runs as the gateway answers with them.
import type { Backup, BackupList, BackupPlan } from '../../../shared/protocol/api/system/backups.ts';
import type { DryRun, LastRestore, RestorePlan } from '../../../shared/protocol/api/system/restore.ts';
import { wallMs } from '../../../shared/protocol/time.ts';

/** 2026-11-22, 18:00 UTC: the next day in Taipei. */
const BACKED_UP_MS = Date.UTC(2026, 10, 22, 18);

export function aBackup(part: Partial<Backup> = {}): Backup {
  return {
    id: 7,
    file: 'fleetglass-20261122-180000.fgb',
    createdAtMs: wallMs(BACKED_UP_MS),
    endedAtMs: wallMs(BACKED_UP_MS + 65_000),
    madeBy: '',
    isManual: false,
    isUploaded: false,
    note: '',
    state: 'done',
    fault: '',
    bytes: 12_400_000,
    rows: 31_415,
    sha256: 'ab'.repeat(32),
    productVersion: '1.4.0',
    schemaVersion: 33,
    engine: 'sqlite',
    history: ['positions', 'events'],
    files: ['evidence'],
    encryption: 'passphrase',
    test: { state: 'passed', atMs: wallMs(BACKED_UP_MS + 106_000), durationMs: 41_000, fault: '' },
    copyState: 'none',
    copyFault: '',
    ...part,
  };
}

export function aBackupList(part: Partial<BackupList> = {}): BackupList {
  return {
    backups: [aBackup()],
    running: null,
    folder: '/mnt/backups',
    isFolderSet: true,
    recordingFolder: '/srv/recordings',
    nextRunAtMs: wallMs(BACKED_UP_MS + 86_400_000),
    ...part,
  };
}

export function aBackupPlan(part: Partial<BackupPlan> = {}): BackupPlan {
  return {
    version: 3,
    enabled: true,
    every: 'daily',
    weekday: 1,
    minuteOfDay: 120,
    timeZone: 'Asia/Taipei',
    keepDays: 7,
    keepWeeks: 4,
    keepMonths: 12,
    history: ['positions', 'events', 'netflow', 'audit'],
    files: ['firmware', 'evidence', 'reports'],
    encryption: 'passphrase',
    hasKey: true,
    nextRunAtMs: wallMs(BACKED_UP_MS + 86_400_000),
    ...part,
  };
}

export function aRestorePlan(part: Partial<RestorePlan> = {}): RestorePlan {
  return {
    id: 'dry-run-1',
    createdAtMs: wallMs(BACKED_UP_MS),
    productVersion: '1.3.0',
    schemaVersion: 31,
    schema: 'older',
    engine: 'postgres',
    isOtherEngine: true,
    missingHistory: ['netflow'],
    files: 4,
    tables: [
      { name: 'device', part: 'core', now: 12, inArchive: 10, compared: { added: 1, kept: 9, removed: 3 } },
      { name: 'fence', part: 'core', now: 2, inArchive: 2, compared: { added: 0, kept: 2, removed: 0 } },
      { name: 'position', part: 'positions', now: 5_000, inArchive: 4_000, compared: null },
    ],
    vanishing: {
      devices: { names: ['Bus 11', 'Bus 12'], count: 3 },
      members: { names: [], count: 0 },
    },
    since: {
      disabled: { names: ['chen'], count: 1 },
      passwordChanged: { names: [], count: 0 },
      revokedLinks: { names: ['Bus 11 (mei)', 'Bus 12, for the police (chen)'], count: 2 },
      events: 17,
      positions: 1_000,
      auditRows: 40,
    },
    ...part,
  };
}

export function aDryRun(part: Partial<DryRun> = {}): DryRun {
  return { backup: 7, file: aBackup().file, state: 'ready', rows: 31_415, fault: '', plan: aRestorePlan(), ...part };
}

export function aLastRestore(part: Partial<LastRestore> = {}): LastRestore {
  return {
    file: aBackup().file,
    createdAtMs: wallMs(BACKED_UP_MS),
    by: 'mei',
    endedAtMs: wallMs(BACKED_UP_MS + 3_600_000),
    durationMs: 42_000,
    fault: '',
    kept: {
      disabled: ['chen'],
      passwordChanged: [],
      revokedLinks: { names: ['Bus 11 (mei)', 'Bus 12, for the police (chen)'], count: 2 },
      auditRows: 40,
      history: [
        { part: 'netflow', outcome: 'kept' },
        { part: 'audit', outcome: 'does-not-fit' },
      ],
    },
    ...part,
  };
}
