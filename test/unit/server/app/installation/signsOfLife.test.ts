import { expect, it } from 'vitest';
import { startSignsOfLife } from '../../../../../server/app/installation/signsOfLife.ts';
import { GATEWAYS_KEPT_MS, SIGN_OF_LIFE_MS } from '../../../../../shared/protocol/api/system/about.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { waitFor } from '../../../../support/waitFor.ts';

const GATEWAY = { id: 'a', host: 'rack', version: '1.2.3', startedAtMs: wallMs(5) };

async function start() {
  const timers = new ManualTimers();
  const did: string[] = [];
  const faults: string[] = [];
  const database = { isAway: false };
  const signs = await startSignsOfLife({
    store: {
      seen: async ({ id, seenAtMs }) => {
        if (database.isAway) throw new Error('away');
        did.push(`seen ${id} ${seenAtMs}`);
      },
      ended: async (id) => void did.push(`ended ${id}`),
      removeOld: async (beforeMs) => void did.push(`remove ${beforeMs + GATEWAYS_KEPT_MS}`),
    },
    gateway: GATEWAY,
    now: () => wallMs(timers.now()),
    runAfter: timers.runAfter,
    onFault: ({ message }) => void faults.push(message),
  });
  return { timers, did, faults, database, signs };
}

it('gives a sign of life at the start and at each interval, and removes old ones', async () => {
  const { timers, did } = await start();
  expect(did).toEqual(['seen a 0', 'remove 0']);
  timers.advance(SIGN_OF_LIFE_MS - 1);
  expect(did).toHaveLength(2);
  timers.advance(1);
  await waitFor('the second', () => did.length === 4);
  expect(did.slice(2)).toEqual([`seen a ${SIGN_OF_LIFE_MS}`, `remove ${SIGN_OF_LIFE_MS}`]);
});

it('goes on when the database was away', async () => {
  const { timers, did, faults, database } = await start();
  database.isAway = true;
  timers.advance(SIGN_OF_LIFE_MS);
  await waitFor('the fault', () => faults.length === 1 && timers.pending === 1);
  database.isAway = false;
  timers.advance(SIGN_OF_LIFE_MS);
  await waitFor('the next', () => did.length === 4);
  expect(faults).toEqual(['the sign of life of this gateway could not be written']);
});

it('ends with the gateway, which is listed no longer', async () => {
  const { timers, did, signs } = await start();
  await signs.close();
  expect(did.slice(2)).toEqual(['ended a']);
  timers.advance(10 * SIGN_OF_LIFE_MS);
  expect(did).toHaveLength(3);
});
