import { afterEach, expect, test, vi } from 'vitest';
import { startSyncFile } from '../../../shared/api/sync.ts';

afterEach(() => vi.unstubAllGlobals());

async function asked(address: string) {
  const fetched = vi.fn(async (_url: string, _options: RequestInit) =>
    Response.json({ error: false, data: { address } }),
  );
  vi.stubGlobal('fetch', fetched);
  const result = await startSyncFile(7);
  const [url, options] = fetched.mock.calls[0] ?? [];
  return { result, url, method: options?.method, body: options?.body };
}

test('the file of an item is asked for in the body, as the gateway takes it', async () => {
  expect(await asked('/api/download/abc')).toEqual({
    result: { ok: true, value: '/api/download/abc' },
    url: '/api/datasync/file',
    method: 'POST',
    body: JSON.stringify({ item: 7 }),
  });
});

test('an address of another site is not gone to', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  expect((await asked('//elsewhere.test/api/download/abc')).result.ok).toBe(false);
});
