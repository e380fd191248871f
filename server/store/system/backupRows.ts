// A row of `backup` as the rest of the gateway sees it.
import type { Selectable } from 'kysely';
import {
  BACKUP_COPY_STATES,
  BACKUP_ENCRYPTIONS,
  BACKUP_FAULTS,
  BACKUP_FILES,
  BACKUP_HISTORY,
  BACKUP_STATES,
  BACKUP_TEST_STATES,
  type BackupCopyState,
  type BackupEncryption,
  type BackupFault,
  type BackupFiles,
  type BackupHistory,
  type BackupState,
  type BackupTestState,
} from '../../../shared/protocol/backup/backupWords.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { BackupTable } from './tables.ts';

/** What is in it, and how. */
export interface BackupContents {
  readonly history: readonly BackupHistory[];
  readonly files: readonly BackupFiles[];
  readonly encryption: BackupEncryption;
}

export interface BackupTest {
  readonly state: BackupTestState;
  /** This and what follows: of the last that ended, while one runs of the one before. 0: none has. */
  readonly atMs: WallMs;
  readonly durationMs: number;
  readonly fault: BackupFault;
}

export interface StoredBackup extends BackupContents {
  readonly id: number;
  readonly file: string;
  readonly createdAtMs: WallMs;
  /** 0 while it is being made. */
  readonly endedAtMs: WallMs;
  /** User name; '' by schedule. */
  readonly madeBy: string;
  readonly isManual: boolean;
  /** Handed in as a file, perhaps of another installation. Until it has been read, `rows` is 0 and its contents aren't known. */
  readonly isUploaded: boolean;
  readonly note: string;
  readonly state: BackupState;
  readonly fault: BackupFault;
  readonly detail: string;
  readonly bytes: number;
  readonly rows: number;
  readonly sha256: string;
  readonly productVersion: string;
  readonly schemaVersion: number;
  readonly engine: string;
  readonly sealedKey: string;
  readonly test: BackupTest;
  readonly copyState: BackupCopyState;
  readonly copyFault: BackupFault;
}

export function toBackup(row: Selectable<BackupTable>): StoredBackup {
  return {
    id: row.id,
    file: row.file,
    createdAtMs: wallMs(row.created_at_ms),
    endedAtMs: wallMs(row.ended_at_ms),
    madeBy: row.made_by,
    isManual: row.is_manual === 1,
    isUploaded: row.is_uploaded === 1,
    note: row.note,
    state: wordOf(BACKUP_STATES, row.state, 'failed'),
    fault: faultWord(row.fault),
    detail: row.detail,
    bytes: row.bytes,
    rows: row.row_count,
    sha256: row.sha256,
    productVersion: row.product_version,
    schemaVersion: row.schema_version,
    engine: row.engine,
    encryption: wordOf(BACKUP_ENCRYPTIONS, row.encryption, 'none'),
    sealedKey: row.sealed_key,
    history: wordsOf(BACKUP_HISTORY, row.history),
    files: wordsOf(BACKUP_FILES, row.files),
    test: {
      state: wordOf(BACKUP_TEST_STATES, row.test_state, 'none'),
      atMs: wallMs(row.tested_at_ms),
      durationMs: row.test_ms,
      fault: faultWord(row.test_fault),
    },
    copyState: wordOf(BACKUP_COPY_STATES, row.copy_state, 'none'),
    copyFault: faultWord(row.copy_fault),
  };
}

/** Its last test that ended has shown that it can be restored; one that runs takes nothing from that. */
export function hasPassed({ state, atMs, fault }: BackupTest): boolean {
  return state === 'passed' || (state === 'running' && atMs > 0 && fault === '');
}

function faultWord(text: string): BackupFault {
  return wordOf(BACKUP_FAULTS, text, 'internal');
}

function wordOf<const Word extends string>(words: readonly Word[], text: string, other: Word): Word {
  return words.find((word) => word === text) ?? other;
}

function wordsOf<const Word extends string>(words: readonly Word[], json: string): readonly Word[] {
  const found = JSON.parse(json) as readonly string[];
  return words.filter((word) => found.includes(word));
}
