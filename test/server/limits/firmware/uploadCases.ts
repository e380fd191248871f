// How the limits of uploads are reached.
import { expect, onTestFinished } from 'vitest';
import {
  UPLOAD_PART_BYTES_LIMIT,
  UPLOAD_PARTS_LIMIT,
  USER_PARTS_LIMIT,
} from '../../../../server/http/uploads/uploadRoutes.ts';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import type { StoredUpload } from '../../../../server/store/firmware/uploads.ts';
import { BACKUP_BYTES_LIMIT, FIRMWARE_BYTES_LIMIT, UPLOADS_LIMIT } from '../../../../server/uploads/uploadRules.ts';
import { Uploads } from '../../../../server/uploads/uploads.ts';
import type { UploadPurpose } from '../../../../shared/protocol/api/uploads/uploads.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { createTestApp } from '../../http/testApp.ts';
import type { LimitCase } from '../describeLimits.ts';

const USER = 1;
const ID = 'a'.repeat(32);

/** Uploads to a disk without bounds. */
function openUploads(onLimit: OnLimit) {
  const rows: StoredUpload[] = [];
  const uploads = new Uploads({
    store: {
      all: async () => rows,
      find: async (id) => rows.find((row) => row.id === id),
      add: async (row) => void rows.push(row),
      remove: async () => undefined,
    },
    files: {
      start: async () => undefined,
      create: async () => undefined,
      size: async () => 0,
      append: async () => undefined,
      remove: async () => undefined,
      ids: async () => [],
      freeBytes: async () => Number.MAX_SAFE_INTEGER,
      pathOf: (id) => id,
    },
    createId: () => String(rows.length),
    maxBytes: Number.MAX_SAFE_INTEGER,
    now: () => 0,
    runAfter: new ManualTimers().runAfter,
    onLimit,
    onFault: noFaults,
  });
  // Each upload is of another file: one of the same file would resume.
  let begun = 0;
  return (purpose: UploadPurpose, bytes: number) =>
    uploads.begin({ purpose, bytes, sha256: String(begun++).padStart(64, '0') }, USER);
}

function bytesCase(limit: typeof FIRMWARE_BYTES_LIMIT, purpose: UploadPurpose): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const begin = openUploads(onLimit);
      return {
        upTo: async () => expect((await begin(purpose, limit.max)).ok).toBe(true),
        beyond: async () => expect(await begin(purpose, limit.max + 1)).toEqual({ ok: false, reason: 'too-large' }),
      };
    },
  };
}

const unfinished: LimitCase = {
  limit: UPLOADS_LIMIT,
  open: (onLimit) => {
    const begin = openUploads(onLimit);
    return {
      upTo: async () => {
        for (let at = 0; at < UPLOADS_LIMIT.max; at++) expect((await begin('firmware', 1)).ok).toBe(true);
      },
      beyond: async () => expect(await begin('firmware', 1)).toEqual({ ok: false, reason: 'too-many' }),
    };
  },
};

async function openCalls(onLimit: OnLimit) {
  const test = await createTestApp({}, { onLimit });
  onTestFinished(() => test.close());
  const group = await test.stores.memberGroups.insert({ name: 'Depot' });
  const signIn = async (username: string) => {
    await test.addUser(username, ['fwupdate'], [group]);
    return test.signIn(username);
  };
  const part = (cookie: string, bytes: number) =>
    test.request({
      method: 'POST',
      url: `/api/upload/part?id=${ID}&offset=0`,
      headers: { cookie, 'content-type': 'application/octet-stream' },
      body: Buffer.alloc(bytes),
    });
  return { test, signIn, part };
}

const partBytes: LimitCase = {
  limit: UPLOAD_PART_BYTES_LIMIT,
  open: async (onLimit) => {
    const { signIn, part } = await openCalls(onLimit);
    const cookie = await signIn('ann');
    return {
      // The part is read as a whole, and belongs to no upload.
      upTo: async () => expect((await part(cookie, UPLOAD_PART_BYTES_LIMIT.max)).statusCode).toBe(404),
      beyond: async () => expect((await part(cookie, UPLOAD_PART_BYTES_LIMIT.max + 1)).statusCode).toBe(413),
    };
  },
};

/** `users`: the number of users, each of whom hands in as many parts at once as a user may. */
function partsCase(limit: typeof UPLOAD_PARTS_LIMIT, users: number): LimitCase {
  return {
    limit,
    open: async (onLimit) => {
      const { test, signIn, part } = await openCalls(onLimit);
      const held: (() => void)[] = [];
      Object.assign(test.firmware.uploads, {
        state: () => new Promise<undefined>((resolve) => held.push(() => resolve(undefined))),
      });
      const cookies: string[] = [];
      for (let at = 0; at < users; at++) cookies.push(await signIn(`ann${at}`));
      const next = limit === USER_PARTS_LIMIT ? (cookies[0] ?? '') : await signIn('bob');
      const parts: ReturnType<typeof part>[] = [];
      return {
        upTo: async () => {
          for (const cookie of cookies) for (let at = 0; at < USER_PARTS_LIMIT.max; at++) parts.push(part(cookie, 1));
          await waitFor('every part is being received', () => held.length === limit.max);
        },
        beyond: async () => {
          const refused = await part(next, 1);
          expect([refused.statusCode, refused.json().code]).toEqual([429, 'slow-down']);
          for (const release of held) release();
          await Promise.all(parts);
        },
      };
    },
  };
}

export const uploadCases: readonly LimitCase[] = [
  unfinished,
  bytesCase(FIRMWARE_BYTES_LIMIT, 'firmware'),
  bytesCase(BACKUP_BYTES_LIMIT, 'backup'),
  partBytes,
  partsCase(UPLOAD_PARTS_LIMIT, UPLOAD_PARTS_LIMIT.max / USER_PARTS_LIMIT.max),
  partsCase(USER_PARTS_LIMIT, 1),
];
