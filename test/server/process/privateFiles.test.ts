// What the gateway leaves in its data folder, and who may read it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { compiledProgram, GATEWAY } from '../../support/programs/compiledProgram.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';

it('leaves nothing of its own to other users in a folder that they may read, and keeps what is theirs', {
  timeout: 120_000,
}, async () => {
  const folder = await createTempFolder();
  onTestFinished(folder.remove);
  chmodSync(folder.path, 0o755);
  // The folder is as a version without this protection has left it.
  const folders = ['recordings', 'firmware', 'sync', 'uploads'];
  for (const name of folders) mkdirSync(join(folder.path, name));
  writeFileSync(join(folder.path, 'fleetglass.db'), '');
  writeFileSync(join(folder.path, 'notes.txt'), 'not ours');
  for (const name of ['fleetglass.db', 'notes.txt']) chmodSync(join(folder.path, name), 0o644);
  for (const name of folders) chmodSync(join(folder.path, name), 0o755);

  const child = spawn(process.execPath, [await compiledProgram(GATEWAY)], {
    cwd: join(import.meta.dirname, '../../..'),
    env: {
      PATH: process.env.PATH ?? '',
      HOST: '127.0.0.1',
      PORT: '0',
      JT808_PORT: '0',
      JT1078_PORT: '0',
      ATTACHMENT_PORT: '0',
      FTP_PORT: '0',
      FTP_PASSIVE_PORTS: '0',
      DATA_DIR: folder.path,
      TLS: 'self-signed',
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const open = (): string[] =>
    readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter(
      (name) => (statSync(join(folder.path, name)).mode & 0o077) !== 0,
    );
  expect(readdirSync(folder.path)).toEqual(
    expect.arrayContaining(['fleetglass.db', 'fleetglass.db-wal', 'fleetglass.db-shm', 'second-factor.key', 'tls']),
  );
  // The certificate is sent to everybody who asks; its folder is closed.
  await waitFor('all is closed', () => open().every((name) => ['notes.txt', 'tls/cert.pem'].includes(name)));
  expect(statSync(join(folder.path, 'notes.txt')).mode & 0o777).toBe(0o644);
  child.kill('SIGTERM');
  await once(child, 'close');
});
