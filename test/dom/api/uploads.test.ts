import { beforeEach, expect, test } from 'vitest';
import { dropUpload, FileUnreadable, UploadFailed, uploadFile } from '../../../shared/api/uploads.ts';
import {
  UPLOAD_BEGIN_PATH,
  UPLOAD_PART_PATH,
  UPLOAD_STATE_PATH,
  type Upload,
  type UploadBegin,
} from '../../../shared/protocol/api/uploads/uploads.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { fakeGateway, json } from '../../support/fakes/fakeGateway.ts';

const FILE = new Blob([new Uint8Array(2_000)]);

beforeEach(() => sessionStorage.clear());

/** Uploads as the gateway keeps them. */
function uploadsAt() {
  const gateway = fakeGateway();
  const kept = new Map<string, Upload>();
  const answer = (id: string | null) => {
    const upload = kept.get(id ?? '');
    if (upload !== undefined) return json({ error: false, data: upload });
    return json({ error: true, code: 'no-such-upload', message: 'gone' }, { status: 404 });
  };
  gateway.on(`POST ${UPLOAD_BEGIN_PATH}`, ({ body }) => {
    const id = String(gateway.callsOf(UPLOAD_BEGIN_PATH).length).repeat(32);
    kept.set(id, { ...(body as UploadBegin), id, receivedBytes: 0, expiresAtMs: wallMs(0) });
    return answer(id);
  });
  gateway.on(`POST ${UPLOAD_PART_PATH}`, ({ query }) => {
    const known = kept.get(query.get('id') ?? '');
    if (known !== undefined) kept.set(known.id, { ...known, receivedBytes: known.bytes });
    return answer(query.get('id'));
  });
  gateway.on(`GET ${UPLOAD_STATE_PATH}`, ({ query }) => answer(query.get('id')));
  gateway.on(`DELETE ${UPLOAD_STATE_PATH}`, ({ query }) => {
    kept.delete(query.get('id') ?? '');
    return json({ error: false, data: {} });
  });
  const begun: string[] = [];
  const start = (abort = new AbortController(), file: Blob = FILE) =>
    uploadFile(file, 'firmware', {
      signal: abort.signal,
      onProgress: () => undefined,
      onBegun: (id) => void begun.push(id),
    });
  return { gateway, kept, begun, start };
}

test('a file that was begun in this tab goes on, and begins anew once it was dropped', async () => {
  const { gateway, kept, begun, start } = uploadsAt();
  const { id } = await start();
  expect((await start()).id).toBe(id);
  expect(gateway.callsOf(UPLOAD_BEGIN_PATH)).toHaveLength(1);
  await dropUpload(id);
  expect([...kept]).toEqual([]);
  const asked = gateway.callsOf(UPLOAD_STATE_PATH).length;
  expect((await start()).id).not.toBe(id);
  // Nobody asks for what was dropped.
  expect(gateway.callsOf(UPLOAD_STATE_PATH)).toHaveLength(asked);
  expect(begun).toHaveLength(3);
});

test('one that is ended while the gateway begins it is known by its id all the same, so that it can be dropped', async () => {
  const { gateway, kept, begun, start } = uploadsAt();
  const abort = new AbortController();
  gateway.on(`POST ${UPLOAD_BEGIN_PATH}`, ({ body, signal }) => {
    abort.abort();
    if (signal?.aborted === true) throw new DOMException('aborted', 'AbortError');
    const id = 'a'.repeat(32);
    kept.set(id, { ...(body as UploadBegin), id, receivedBytes: 0, expiresAtMs: wallMs(0) });
    return json({ error: false, data: kept.get(id) });
  });
  await expect(start(abort)).rejects.toThrow(UploadFailed);
  expect(begun).toEqual([...kept.keys()]);
  expect(gateway.callsOf(UPLOAD_PART_PATH)).toEqual([]);
});

/** A file that another build has overwritten once the browser has read it so many times. */
function overwritten(readings: number): Blob {
  let left = readings;
  const slice = (from?: number, to?: number) => {
    const part = FILE.slice(from, to);
    left -= 1;
    if (left < 0) part.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'));
    return part;
  };
  return Object.assign(new Blob([FILE]), { slice });
}

test.each([
  ['hashed', 0, 0],
  ['sent', 1, 1],
] as const)(
  'a file that cannot be read any more while it is %s is said to be so, and is no network that is down',
  async (_what, readings, begun) => {
    const { gateway, start } = uploadsAt();
    await expect(start(new AbortController(), overwritten(readings))).rejects.toThrow(FileUnreadable);
    expect(gateway.callsOf(UPLOAD_BEGIN_PATH)).toHaveLength(begun);
    expect(gateway.callsOf(UPLOAD_PART_PATH)).toEqual([]);
  },
);
