import { afterEach, describe, expect, it, vi } from 'vitest';
import { requestCsvAddress } from '../../../shared/api/list.ts';

describe('the address of a list as CSV', () => {
  afterEach(() => vi.unstubAllGlobals());

  const requestOf = async (address: unknown) => {
    const fetched = vi.fn(async (_url: string, _options: RequestInit) =>
      Response.json({ error: false, data: { address } }),
    );
    vi.stubGlobal('fetch', fetched);
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const result = await requestCsvAddress('/api/audit/entries', { sort: 'at', descending: true, search: ' bus ' });
    return { result, url: fetched.mock.calls[0]?.[0], method: fetched.mock.calls[0]?.[1].method };
  };

  it('is asked for with the order and the search of the list', async () => {
    expect(await requestOf('/api/download/abc')).toEqual({
      result: { ok: true, value: '/api/download/abc' },
      url: '/api/audit/entries/csv?sort=at&descending=1&search=bus',
      method: 'POST',
    });
  });

  it.each(['', '//elsewhere.test/api/download/abc', 'javascript:alert(1)', '/api/user/logout', 7])(
    'is refused unless it is a download of this site: %s',
    async (address) => expect((await requestOf(address)).result.ok).toBe(false),
  );
});
