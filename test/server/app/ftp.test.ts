// What the file transfer counts as data usage of a device, over its real ports.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countedLogins } from '../../../server/app/ftp.ts';
import { waitFor } from '../../support/waitFor.ts';
import { dial, OWNER, patterned, startFtpScene } from '../ftp/ftpScene.ts';

const BYTES = patterned(300_000);

async function start() {
  const scene = await startFtpScene();
  const noted: { readonly incarnation: number; readonly kind: string; received: number; sent: number }[] = [];
  const logins = countedLogins(scene.server, {
    note: (incarnation, kind, { receivedBytes, sentBytes }) => {
      const before = noted.find((each) => each.kind === kind && each.incarnation === incarnation);
      const entry = before ?? { incarnation, kind, received: 0, sent: 0 };
      if (before === undefined) noted.push(entry);
      entry.received += receivedBytes;
      entry.sent += sentBytes;
    },
  });
  return { scene, noted, logins, untilMs: Date.now() + 60_000 };
}

describe('data usage of file transfers (S-2.4.9)', () => {
  it.each([
    ['is kept', 1_000_000, /^226 /],
    ['has no room, what was not kept among it', 100_000, /^552 /],
  ])('is what a terminal hands in, as data sync, where the file %s', async (_, maxBytes, answer) => {
    const { scene, noted, logins, untilMs } = await start();
    let keptBytes = 0;
    const onBytes = (bytes: number): void => {
      keptBytes += bytes;
    };
    const onFile = (): void => undefined;
    const login = { ...OWNER, kind: 'upload', untilMs, folder: scene.folder, maxBytes, maxFiles: 1 } as const;
    const opened = logins.open({ ...login, onBytes, onFile });
    if (opened === undefined) throw new Error('no login');
    const terminal = await dial(opened.address);
    expect(await terminal.store('STOR a.mp4', BYTES)).toMatch(answer);
    expect(noted).toMatchObject([{ incarnation: 1, kind: 'sync', sent: 0 }]);
    if (keptBytes === BYTES.length) expect(noted[0]?.received).toBe(BYTES.length);
    else expect(noted[0]?.received).toBeGreaterThan(keptBytes);
  });

  it('is what a terminal fetches, as firmware', async () => {
    const { scene, noted, logins, untilMs } = await start();
    const file = join(scene.folder, 'image');
    await writeFile(file, BYTES);
    let sentBytes = 0;
    const onBytes = (_offset: number, bytes: number): void => {
      sentBytes += bytes;
    };
    const login = { ...OWNER, kind: 'download', untilMs, file, bytes: BYTES.length } as const;
    const opened = logins.open({ ...login, onBytes, beforeEnd: async () => true });
    if (opened === undefined) throw new Error('no login');
    const terminal = await dial(opened.address);
    const data = await terminal.data();
    data.resume();
    expect(await terminal.code(`RETR ${opened.address.path}`)).toBe(150);
    await waitFor('all was sent', () => sentBytes === BYTES.length);
    expect(noted).toEqual([{ incarnation: 1, kind: 'firmware', received: 0, sent: BYTES.length }]);
  });
});
