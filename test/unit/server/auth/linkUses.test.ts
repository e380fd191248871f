import { expect, test } from 'vitest';
import { LinkUses, WRITE_AFTER_MS } from '../../../../server/auth/linkUses.ts';
import { hashSecret } from '../../../../server/auth/secrets.ts';
import { createSessionSecrets } from '../../../../server/auth/sessionSecrets.ts';
import type { LinkUse } from '../../../../server/store/links/linkList.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';

function setUp(noteUses?: () => Promise<void>) {
  const timers = new ManualTimers();
  const written: (readonly LinkUse[])[] = [];
  const faults: Error[] = [];
  const uses = new LinkUses({
    linkList: { noteUses: noteUses ?? (async (batch) => void written.push(batch)) },
    now: () => wallMs(timers.now()),
    runAfter: timers.runAfter,
    onFault: (error) => void faults.push(error),
  });
  return { timers, written, faults, uses };
}

test('uses of one link are written together: how often it was opened, when last and from where', () => {
  const { timers, written, uses } = setUp();
  uses.note({ credential: 'a', address: '192.0.2.1', opens: true });
  timers.advance(500);
  uses.note({ credential: 'a', address: '192.0.2.2', opens: true });
  uses.note({ credential: 'a', address: '192.0.2.3', opens: false });
  uses.note({ credential: 'b', address: '192.0.2.9', opens: false });
  expect(written).toEqual([]);
  timers.advance(WRITE_AFTER_MS - 500);
  expect(written).toEqual([
    [
      { secretHash: hashSecret('a'), atMs: 500, address: '192.0.2.3', count: 2 },
      { secretHash: hashSecret('b'), atMs: 500, address: '192.0.2.9', count: 0 },
    ],
  ]);
  timers.advance(10 * WRITE_AFTER_MS);
  expect(written).toHaveLength(1);
  uses.note({ credential: 'a', address: '192.0.2.1', opens: true });
  timers.advance(WRITE_AFTER_MS);
  expect(written[1]).toMatchObject([{ count: 1 }]);
});

test('what is left is written at the end', async () => {
  const { timers, written, uses } = setUp();
  uses.note({ credential: 'a', address: '192.0.2.1', opens: true });
  await uses.close();
  expect(written).toHaveLength(1);
  expect(timers.pending).toBe(0);
});

test('a database that does not answer is told of and stops nobody', async () => {
  const { uses, faults } = setUp(async () => {
    throw new Error('away');
  });
  uses.note({ credential: 'a', address: '192.0.2.1', opens: true });
  await uses.close();
  expect(faults).toHaveLength(1);
});

test('secrets of our own pages are the same for the same question, and others after a start', () => {
  const secretFor = createSessionSecrets();
  expect(secretFor(['a', 'b'])).toMatch(/^[0-9a-f]{40}$/);
  expect(secretFor(['a', 'b'])).toBe(secretFor(['a', 'b']));
  expect(secretFor(['ab', ''])).not.toBe(secretFor(['a', 'b']));
  expect(createSessionSecrets()(['a', 'b'])).not.toBe(secretFor(['a', 'b']));
});
