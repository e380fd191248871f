import { expect, it, onTestFinished, vi } from 'vitest';
import type { ApiResult } from '../../../../shared/api/client.ts';
import {
  getTrackChart,
  getTrackLine,
  getTrackPoints,
  getTrackSummary,
  startTrackExport,
} from '../../../../shared/api/tracks.ts';

const SPAN = { deviceid: 'A&B', from: 1, to: 2 };

/** What a call asks for, and what it makes of an answer with this in it. */
async function asked<Value>(call: () => Promise<ApiResult<Value>>, data: unknown = {}) {
  const requests: { readonly path: string; readonly query: URLSearchParams; readonly init: RequestInit }[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const { pathname, searchParams } = new URL(address, 'https://fleet.example');
    requests.push({ path: pathname, query: searchParams, init });
    return new Response(JSON.stringify({ error: false, data }));
  });
  vi.stubGlobal('window', { location: { search: '' } });
  onTestFinished(() => void vi.unstubAllGlobals());
  const result = await call();
  const [request] = requests;
  if (request === undefined) throw new Error('nothing was asked for');
  return { result, ...request, query: Object.fromEntries(request.query) };
}

it('a line is asked for without an exponent, however far the map is zoomed in', async () => {
  const { path, query } = await asked(() => getTrackLine({ ...SPAN, degreesPerPixel: 1e-7, most: 500 }));
  expect(path).toBe('/api/track/line');
  expect(query).toEqual({ deviceid: 'A&B', from: '1', to: '2', degreesPerPixel: '0.000000100000', most: '500' });
  const wide = await asked(() => getTrackLine({ ...SPAN, degreesPerPixel: 5_000 }));
  expect(wide.query.degreesPerPixel).toBe('360.000000000000');
  const exact = await asked(() => getTrackLine(SPAN));
  expect(exact.query).toEqual({ deviceid: 'A&B', from: '1', to: '2' });
});

it('the chart, the positions and the summary are asked for each by its own path', async () => {
  const chart = await asked(() => getTrackChart({ ...SPAN, steps: 100 }));
  expect([chart.path, chart.query.steps]).toEqual(['/api/track/chart', '100']);
  const points = await asked(() => getTrackPoints({ ...SPAN, limit: 10, after: 'x y' }));
  expect([points.path, points.query.after]).toEqual(['/api/track/points', 'x y']);
  expect((await asked(() => getTrackSummary(SPAN))).path).toBe('/api/track/summary');
});

const EXPORT = { deviceid: 'BUS', fromMs: 1, toMs: 2, format: 'csv', language: 'en', timeZone: 'UTC' } as never;

it('an export gives the address of its download', async () => {
  const { result, path, init } = await asked(() => startTrackExport(EXPORT), { address: '/api/download/abc' });
  expect([path, init.method]).toEqual(['/api/track/export', 'POST']);
  expect(result).toEqual({ ok: true, value: '/api/download/abc' });
});

it.each(['https://evil.example/', '//evil.example/', '/api/downloads', '/api/user', ''])(
  'an export leads nowhere else, such as to %j',
  async (address) => {
    const { result } = await asked(() => startTrackExport(EXPORT), { address });
    expect(result.ok).toBe(false);
  },
);
