import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { sourceFilesOf } from '../../../../server/backup/files/sourceFiles.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';

const SHA256 = 'ab'.repeat(32);
const RANDOM = 'cd'.repeat(16);
const ALL = ['firmware', 'evidence', 'reports'] as const;

let dataDir: string;
beforeEach(async () => {
  const folder = await createTempFolder();
  onTestFinished(folder.remove);
  dataDir = folder.path;
  const files = [
    ...['second-factor.key', 'evidence.key', 'tls/key.pem', 'tls/cert.pem', 'fleetglass.db'],
    ...[`firmware/${SHA256}`, 'firmware/notes.txt', `evidence/cd/${RANDOM}`, `evidence/incoming/${RANDOM}`],
    ...[`reports/${RANDOM}.db`, `reports/${RANDOM}.db-journal`, `recordings/${RANDOM}`],
  ];
  for (const file of files) {
    await mkdir(dirname(join(dataDir, file)), { recursive: true });
    await writeFile(join(dataDir, file), '');
  }
});

const named = async (wanted: Parameters<typeof sourceFilesOf>[1]) =>
  (await sourceFilesOf({ dataDir }, wanted)).map(({ kind, name, path }) => [
    kind,
    name,
    path.slice(dataDir.length + 1),
  ]);

describe('the files of a backup', () => {
  it('are those that were chosen, and whole', async () => {
    expect(await named({ files: ALL, isEncrypted: false })).toEqual([
      ['firmware', SHA256, `firmware/${SHA256}`],
      ['event-media', RANDOM, `evidence/cd/${RANDOM}`],
      ['report', RANDOM, `reports/${RANDOM}.db`],
    ]);
    expect(await named({ files: [], isEncrypted: false })).toEqual([]);
  });

  it('have keys and certificates where they are encrypted', async () => {
    expect(await named({ files: [], isEncrypted: true })).toEqual([
      ['key', 'sealing-key', 'second-factor.key'],
      ['key', 'evidence-key', 'evidence.key'],
      ['key', 'tls-key', 'tls/key.pem'],
      ['certificate', 'tls-certificate', 'tls/cert.pem'],
    ]);
  });

  it('are none where there is no folder yet', async () => {
    expect(await sourceFilesOf({ dataDir: join(dataDir, 'none') }, { files: ALL, isEncrypted: true })).toEqual([]);
  });
});
