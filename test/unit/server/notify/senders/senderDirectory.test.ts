import { beforeEach, expect, it } from 'vitest';
import { createKey, createSecretBox } from '../../../../../server/auth/secretBox.ts';
import { senderContext } from '../../../../../server/notify/senders/secretBox.ts';
import { SenderDirectory } from '../../../../../server/notify/senders/senderDirectory.ts';
import type { StoredSender } from '../../../../../server/store/notify/notifySenders.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { senderFields } from '../../../../support/notify/aSenderRecord.ts';

const box = createSecretBox(createKey());

function stored(id: number, sealedSecret: string): StoredSender {
  const health = { failures: 0, lastSentAtMs: wallMs(0), lastFailureAtMs: wallMs(0), lastFailure: '' };
  return { ...senderFields({ name: `Mail ${id}` }), id, version: 1, sealedSecret, ...health };
}

const sealedFor = (id: number): string => box.seal('hidden', senderContext(id));

let reads: number;
let rows: StoredSender[];
let clock: number;
let directory: SenderDirectory;
beforeEach(() => {
  [reads, clock] = [0, 1_000];
  rows = [stored(1, sealedFor(1)), stored(2, ''), stored(3, sealedFor(1))];
  const all = async () => {
    reads++;
    return rows;
  };
  directory = new SenderDirectory({ store: { all }, box, now: () => clock });
});

it('opens a sender with its secret, one without a secret, and says of one that its secret is lost', async () => {
  expect(await directory.open(1)).toMatchObject({
    name: 'Mail 1',
    secret: 'hidden',
    isSecretLost: false,
    perMinute: 60,
  });
  expect(await directory.open(2)).toMatchObject({ secret: '', isSecretLost: false, enabled: true });
  expect(await directory.open(3)).toMatchObject({ secret: '', isSecretLost: true });
  expect(await directory.open(4)).toBeUndefined();
  expect([reads, (await directory.all()).length]).toEqual([1, 3]);
});

it('reads again once senders were edited, or a minute has passed', async () => {
  await directory.open(1);
  await directory.open(1);
  expect(reads).toBe(1);
  rows = [stored(2, '')];
  directory.forget();
  expect(await directory.open(1)).toBeUndefined();
  clock += 59_000;
  await directory.open(2);
  expect(reads).toBe(2);
  clock += 1_000;
  await directory.open(2);
  expect(reads).toBe(3);
});

it('tries again after a read that failed', async () => {
  let isAway = true;
  const all = async () => {
    if (isAway) throw new Error('the database is away');
    return rows;
  };
  const broken = new SenderDirectory({ store: { all }, box, now: () => clock });
  await expect(broken.open(1)).rejects.toThrow('away');
  isAway = false;
  expect(await broken.open(1)).toMatchObject({ secret: 'hidden' });
});
