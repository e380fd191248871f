// How the limits of what members draw and import are reached.
import { expect, onTestFinished } from 'vitest';
import { FENCE_BYTES_LIMIT } from '../../../../server/http/fences/fenceDeps.ts';
import { FENCE_IMPORT_BYTES_LIMIT } from '../../../../server/http/fences/import/importRoutes.ts';
import { IMPORTED_FENCES_LIMIT } from '../../../../server/http/fences/import/readFile.ts';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import { FENCE_VERTICES_LIMIT, FENCES_LIMIT } from '../../../../server/store/fences/fences.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { aCorridor, aFenceContent } from '../../../support/aFence.ts';
import { createTestApp } from '../../http/testApp.ts';
import { openTestDatabase } from '../../store/testDatabase.ts';
import type { LimitCase } from '../describeLimits.ts';

const BYTES = 'application/octet-stream';

/** Sends a body to a call as somebody who may do everything. */
async function openCalls(onLimit: OnLimit) {
  const test = await createTestApp({}, { onLimit });
  onTestFinished(() => test.close());
  const group = await test.stores.memberGroups.insert({ name: 'Depot' });
  await test.addUser('root', ALL_PERMISSIONS, [group]);
  const cookie = await test.signIn('root');
  return async (path: string, body: string, type: string): Promise<readonly [number, string | undefined]> => {
    const headers = { cookie, 'content-type': type };
    const answer = await test.request({ method: 'POST', url: `/api/fence/${path}`, headers, body: Buffer.from(body) });
    return [answer.statusCode, answer.json().code];
  };
}

function ofLength(text: string, bytes: number): string {
  return text + ' '.repeat(bytes - text.length);
}

const CSV_ROW = 'A,25,121,50\n';
const csvOf = (rows: number) => `name,lat,lng,radius\n${CSV_ROW.repeat(rows)}`;

const callCases: readonly LimitCase[] = [
  {
    limit: FENCE_BYTES_LIMIT,
    open: async (onLimit) => {
      const post = await openCalls(onLimit);
      const add = (bytes: number) =>
        post('fences', ofLength(JSON.stringify(aFenceContent()), bytes), 'application/json');
      return {
        upTo: async () => expect((await add(FENCE_BYTES_LIMIT.max))[0]).toBe(200),
        beyond: async () => expect((await add(FENCE_BYTES_LIMIT.max + 1))[0]).toBe(413),
      };
    },
  },
  {
    limit: FENCE_IMPORT_BYTES_LIMIT,
    open: async (onLimit) => {
      const post = await openCalls(onLimit);
      const check = (bytes: number) => post('check', ofLength(csvOf(1), bytes), BYTES);
      return {
        upTo: async () => expect((await check(FENCE_IMPORT_BYTES_LIMIT.max))[0]).toBe(200),
        beyond: async () => expect((await check(FENCE_IMPORT_BYTES_LIMIT.max + 1))[0]).toBe(413),
      };
    },
  },
  {
    limit: IMPORTED_FENCES_LIMIT,
    open: async (onLimit) => {
      const post = await openCalls(onLimit);
      const check = (rows: number) => post('check', csvOf(rows), BYTES);
      return {
        upTo: async () => expect((await check(IMPORTED_FENCES_LIMIT.max))[0]).toBe(200),
        beyond: async () => expect(await check(IMPORTED_FENCES_LIMIT.max + 1)).toEqual([422, 'fence-file-too-long']),
      };
    },
  },
];

async function openStore(onLimit: OnLimit) {
  const { db, close } = await openTestDatabase('sqlite');
  onTestFinished(() => close());
  const { memberGroups, fences } = createStores(db, onLimit);
  const memberGroup = await memberGroups.insert({ name: 'Depot' });
  return { fences, memberGroup };
}

const BY = { by: 'ann', atMs: 1 };
const IMPORTED_BY = { username: 'ann', atMs: 1 };

const storeCases: readonly LimitCase[] = [
  {
    limit: FENCES_LIMIT,
    open: async (onLimit) => {
      const { fences, memberGroup } = await openStore(onLimit);
      const add = () => fences.insert(memberGroup, { content: aFenceContent(), ...BY });
      return {
        upTo: async () => {
          const added = Array.from({ length: FENCES_LIMIT.max - 1 }, () => aFenceContent());
          expect(await fences.importMany(memberGroup, { added, changed: [] }, IMPORTED_BY)).toBe(true);
          expect(await add()).toMatchObject({ ok: true });
        },
        beyond: async () => expect(await add()).toEqual({ ok: false, reason: 'too-many' }),
      };
    },
  },
  {
    limit: FENCE_VERTICES_LIMIT,
    open: async (onLimit) => {
      const { fences, memberGroup } = await openStore(onLimit);
      const line = Array.from({ length: 2_000 }, (_, at) => [121, 20 + at / 1_000] as const);
      const content = aFenceContent(aCorridor(50, line));
      return {
        upTo: async () => {
          const added = Array.from({ length: FENCE_VERTICES_LIMIT.max / line.length }, () => content);
          expect(await fences.importMany(memberGroup, { added, changed: [] }, IMPORTED_BY)).toBe(true);
          const [first] = await fences.ofGroup(memberGroup);
          const named = { id: first?.id ?? 0, memberGroup, version: 1 };
          expect(await fences.update(named, { content, ...BY })).toMatchObject({ ok: true });
        },
        beyond: async () => {
          const added = await fences.insert(memberGroup, { content: aFenceContent(), ...BY });
          expect(added).toEqual({ ok: false, reason: 'too-many-vertices' });
        },
      };
    },
  },
];

export const fenceAdminCases: readonly LimitCase[] = [...callCases, ...storeCases];
