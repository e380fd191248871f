// How the limits of files that members import are reached.
import { expect, onTestFinished } from 'vitest';
import {
  createImportThread,
  IMPORT_MEMORY_LIMIT,
  IMPORT_TIME_LIMIT,
} from '../../../../server/app/imports/importThread.ts';
import { IMPORT_BYTES_LIMIT } from '../../../../server/http/devices/import/routes.ts';
import { LARGE_BODIES_LIMIT, USER_LARGE_BODIES_LIMIT } from '../../../../server/http/uploads/bodyPlaces.ts';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { createTestApp } from '../../http/testApp.ts';
import type { LimitCase } from '../describeLimits.ts';

const PER_USER = USER_LARGE_BODIES_LIMIT.max / IMPORT_BYTES_LIMIT.max;

/** `files`: how many each user sends at once. Each is of a member group of its own, whose share is not all of the room. */
function bodiesCase(limit: typeof LARGE_BODIES_LIMIT, files: readonly number[]): LimitCase {
  const count = files.reduce((sum, each) => sum + each, 0);
  return {
    limit,
    open: async (onLimit) => {
      const test = await createTestApp({}, { onLimit });
      onTestFinished(() => test.close());
      const held: (() => void)[] = [];
      const all = () => new Promise((resolve) => held.push(() => resolve([])));
      Object.assign(test.stores.deviceRecords, { all });
      const signIn = async (username: string): Promise<string> => {
        const memberGroup = await test.stores.memberGroups.insert({ name: `Group of ${username}` });
        await test.addUser(username, ALL_PERMISSIONS, [memberGroup]);
        return test.signIn(username);
      };
      const cookies: string[] = [];
      for (let at = 0; at < files.length; at++) cookies.push(await signIn(`ann${at}`));
      const next = limit === USER_LARGE_BODIES_LIMIT ? (cookies[0] ?? '') : await signIn('bob');
      const send = (cookie: string) => {
        const headers = { cookie, 'content-type': 'text/csv' };
        return test.request({ method: 'POST', url: '/api/devicegroup/import/check', headers, body: 'deviceid\nA\n' });
      };
      const sent: ReturnType<typeof send>[] = [];
      return {
        upTo: async () => {
          for (const [user, cookie] of cookies.entries())
            for (let at = 0; at < (files[user] ?? 0); at++) sent.push(send(cookie));
          await waitFor('every file is being planned', () => held.length === count);
        },
        beyond: async () => {
          const refused = await send(next);
          expect([refused.statusCode, refused.json().code]).toEqual([429, 'too-many-files']);
          expect(refused.headers['retry-after']).toBe('5');
          for (const release of held) release();
          await Promise.all(sent);
          // The places are free again.
          const free = send(next);
          await waitFor('the next file is being planned', () => held.length > count);
          held.at(-1)?.();
          expect((await free).statusCode).not.toBe(429);
        },
      };
    },
  };
}

const READING = { defaults: { widthMeters: 20, radiusMeters: 50, name: 'Town' } };
const fileOf = (text: string) => ({ bytes: new TextEncoder().encode(text), memberGroup: 1 });
const FENCES = fileOf('name,lat,lng\nA,25,121\n');
const WIDE = fileOf(`<kml>${'<a/>'.repeat(1_200_000)}</kml>`);

interface OpenThread {
  readonly onLimit: OnLimit;
  readonly memoryMb?: number;
  readonly isLate?: boolean;
}

function openThread({ onLimit, memoryMb, isLate = false }: OpenThread) {
  const thread = createImportThread({
    runAfter: (delayMs, run) => {
      if (isLate && delayMs === IMPORT_TIME_LIMIT.max) queueMicrotask(run);
      return () => undefined;
    },
    onFault: (error) => expect.fail(error.message),
    onLimit,
    ...(memoryMb === undefined ? {} : { memoryMb }),
  });
  onTestFinished(() => thread.close());
  return thread;
}

export const importCases: readonly LimitCase[] = [
  bodiesCase(LARGE_BODIES_LIMIT, [PER_USER, 1, LARGE_BODIES_LIMIT.max / IMPORT_BYTES_LIMIT.max - PER_USER - 1]),
  bodiesCase(USER_LARGE_BODIES_LIMIT, [PER_USER]),
  {
    limit: IMPORT_TIME_LIMIT,
    open: (onLimit) => ({
      upTo: async () => expect(await openThread({ onLimit }).fences(FENCES, READING)).toMatchObject({ ok: true }),
      beyond: async () => {
        const read = await openThread({ onLimit, isLate: true }).fences(FENCES, READING);
        expect(read).toEqual({ ok: false, code: 'file-too-complex' });
      },
    }),
  },
  {
    limit: IMPORT_MEMORY_LIMIT,
    open: (onLimit) => ({
      upTo: async () => expect(await openThread({ onLimit }).fences(FENCES, READING)).toMatchObject({ ok: true }),
      beyond: async () => {
        const read = await openThread({ onLimit, memoryMb: 24 }).fences(WIDE, READING);
        expect(read).toEqual({ ok: false, code: 'file-too-complex' });
      },
    }),
  },
];
