// The parts that look after the demo's devices, against a gateway that answers as ours does.
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { HourUse } from '../../../../server/store/netflow/netflowHours.ts';
import { cardFiles } from '../../../../simulator/card/cardContents.ts';
import { DemoSession } from '../../../../simulator/members/demoSession.ts';
import { DemoFirmware } from '../../../../simulator/upkeep/demoFirmware.ts';
import { imageBytes } from '../../../../simulator/upkeep/demoImages.ts';
import { DemoSync, fetchedMoments } from '../../../../simulator/upkeep/demoSync.ts';
import { addDemoPlans, addDemoUse } from '../../../../simulator/upkeep/demoUsage.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';

interface Call {
  readonly user: string;
  readonly call: string;
  readonly body: unknown;
}

const NOW_MS = Date.UTC(2026, 2, 25, 12, 30);
const HOUR_MS = 3_600_000;

let timers: ManualTimers;
let calls: Call[];
let faults: Error[];
let onlineAtSeconds: number;
/** What an earlier run has left in every list. */
let left: readonly object[];

beforeEach(() => {
  timers = new ManualTimers();
  calls = [];
  faults = [];
  onlineAtSeconds = 5;
  left = [];
});

const gateway: typeof fetch = async (input, init) => {
  const { pathname, search } = new URL(String(input));
  const given = init?.body;
  const body: unknown = typeof given === 'string' ? JSON.parse(given) : given;
  const method = init?.method ?? 'GET';
  if (pathname === '/api/user/login') {
    const { username } = body as { readonly username: string };
    return Response.json({ data: {} }, { headers: { 'set-cookie': `user=${username}; Path=/` } });
  }
  const user = (new Headers(init?.headers).get('cookie') ?? '').replace('user=', '');
  calls.push({ user, call: `${method} ${pathname}${search}`, body });
  return Response.json({ data: answerOf(method, pathname) });
};

function answerOf(method: string, path: string): unknown {
  const isOnline = timers.now() >= onlineAtSeconds * 1_000;
  if (path === '/api/netflow/devices') return { rows: [{ deviceid: 'BUS-101', simVersion: 0 }] };
  if (path === '/api/datasync/calendar') return { listedAtMs: isOnline ? NOW_MS : 0, days: [] };
  if (path === '/api/upload/begin') return { id: 'a'.repeat(32) };
  if (path === '/api/firmware/reach') return { devices: 3, fitting: isOnline ? 3 : 1, unfitting: [] };
  if (path === '/api/firmware/tasks') return { id: 7, version: 1 };
  if (path === '/api/firmware/tasks/7/act') return { id: 7, version: 2 };
  return method === 'GET' ? { rows: left } : { id: 4, version: 1 };
}

const sessionOf = (username: string): DemoSession =>
  new DemoSession({
    address: 'http://localhost:8080',
    account: { userId: 1, username, password: 'secret' },
    fetch: gateway,
  });

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    timers.advance(1_000);
    for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

const bodiesOf = (call: string): unknown[] => calls.filter((one) => one.call === call).map(({ body }) => body);

describe("the demo's firmware", () => {
  const firmware = (): DemoFirmware =>
    new DemoFirmware({
      administrator: sessionOf('demo'),
      fitter: sessionOf('fitter'),
      runAfter: timers.runAfter,
      onFault: (error) => faults.push(error),
    });

  it('uploads two images, and has a second member approve a task once three vehicles can take one', async () => {
    firmware().start();
    await pass(4);
    expect(bodiesOf('POST /api/firmware/images')).toHaveLength(2);
    expect(bodiesOf('POST /api/firmware/tasks')).toEqual([]);
    await pass(10);
    const acts = calls.filter(({ call }) => call === 'POST /api/firmware/tasks/7/act');
    expect(acts).toMatchObject([
      { user: 'fitter', body: { act: 'approve', version: 1 } },
      { user: 'demo', body: { act: 'start', version: 2 } },
    ]);
    expect(bodiesOf('POST /api/firmware/tasks')).toMatchObject([
      { image: 4, devices: ['BUS-101', 'BUS-104', 'BUS-108'] },
    ]);
    expect(faults).toEqual([]);
    expect(timers.pending).toBe(0);
  });

  it('hands in the bytes whose hash it has said, the same in every run', async () => {
    firmware().start();
    await pass(1);
    const hashes = [imageBytes(1, 96 * 1_024), imageBytes(2, 160 * 1_024)].map((bytes) =>
      createHash('sha256').update(bytes).digest('hex'),
    );
    expect(bodiesOf('POST /api/upload/begin')).toMatchObject(hashes.map((sha256) => ({ purpose: 'firmware', sha256 })));
    const parts = bodiesOf(`POST /api/upload/part?id=${'a'.repeat(32)}&offset=0`);
    const handedIn = parts.map((part) =>
      createHash('sha256')
        .update(part as Uint8Array)
        .digest('hex'),
    );
    expect(handedIn).toEqual(hashes);
  });

  it('leaves what an earlier run has left', async () => {
    left = [{ id: 1 }];
    firmware().start();
    await pass(30);
    expect(calls.map(({ call }) => call)).toEqual(['GET /api/firmware/images']);
  });

  it('stops with the demo', async () => {
    onlineAtSeconds = 10_000;
    const started = firmware();
    started.start();
    await pass(2);
    started.stop();
    await pass(30);
    expect(bodiesOf('POST /api/firmware/reach')).toEqual([]);
    expect(timers.pending).toBe(0);
  });
});

describe("the demo's data sync", () => {
  const sync = (): DemoSync =>
    new DemoSync({
      administrator: sessionOf('demo'),
      devices: ['BUS-101', 'BUS-108'],
      now: () => NOW_MS,
      runAfter: timers.runAfter,
      onFault: (error) => faults.push(error),
    });

  it('fetches two moments of each card that is listed, then makes its rule', async () => {
    sync().start();
    await pass(4);
    expect(bodiesOf('POST /api/datasync/request')).toEqual([]);
    await pass(10);
    const requests = bodiesOf('POST /api/datasync/request') as { readonly deviceid: string; readonly fromMs: number }[];
    expect(requests.map(({ deviceid }) => deviceid)).toEqual(['BUS-101', 'BUS-101', 'BUS-108', 'BUS-108']);
    expect(requests.every(({ fromMs }) => fromMs < NOW_MS)).toBe(true);
    expect(calls.at(-1)).toMatchObject({ call: 'POST /api/datasync/rules', body: { enabled: true, channels: [1] } });
    expect(timers.pending).toBe(0);
    expect(faults).toEqual([]);
  });

  it('fetches what is on the cards, at whichever minute it begins', () => {
    for (let minute = 0; minute < 60; minute++) {
      const nowMs = NOW_MS + minute * 60_000;
      const [first = 0, second = 0, ...more] = fetchedMoments(nowMs);
      expect(more).toEqual([]);
      expect(second - first).toBeGreaterThan(60_000);
      expect(nowMs - second).toBeGreaterThan(60_000);
      for (const fromMs of [first, second]) {
        const span = { startMs: fromMs, endMs: fromMs + 30_000 };
        const files = cardFiles({}, span, nowMs);
        expect(files[0]?.startMs).toBeLessThanOrEqual(span.startMs);
        expect(files.at(-1)?.endMs).toBeGreaterThanOrEqual(span.endMs);
      }
    }
  });

  it('leaves rules of an earlier run as they are', async () => {
    left = [{ id: 1 }];
    sync().start();
    await pass(30);
    expect(calls.map(({ call }) => call)).toEqual(['GET /api/datasync/rules']);
  });
});

describe("the demo's data usage", () => {
  const storeWith = (known: readonly HourUse[]) => {
    const written: HourUse[] = [];
    const netflowUse = {
      hoursFrom: async () => [...known],
      devices: async () => [{ deviceId: 'BUS-101', incarnation: 3 }],
      write: async (hours: readonly HourUse[]) => void written.push(...hours),
    };
    return { stores: { netflowUse: netflowUse as never }, written };
  };
  const bytesOf = ({ received, sent }: HourUse): number =>
    [...received, ...sent].reduce((sum, bytes) => sum + bytes, 0);

  it('is of all kinds, of two days ago, and four fifths of the small plan', async () => {
    const { stores, written } = storeWith([]);
    await addDemoUse(stores, NOW_MS);
    expect(
      written.every(({ received, incarnation }) => incarnation === 3 && received.every((bytes) => bytes > 0)),
    ).toBe(true);
    const hours = written.map(({ hourMs }) => (NOW_MS - hourMs) / HOUR_MS);
    expect(Math.max(...hours)).toBe(48.5);
    expect(Math.min(...hours)).toBeGreaterThan(24);
    const bytes = written.reduce((sum, hour) => sum + bytesOf(hour), 0);
    expect((bytes * 1.04) / 5_000_000_000).toBeCloseTo(0.803, 4);
  });

  it('is not made up where there is some', async () => {
    const { stores, written } = storeWith([{ incarnation: 3, hourMs: 0, received: [], sent: [] }]);
    await addDemoUse(stores, NOW_MS);
    expect(written).toEqual([]);
  });

  it('has plans whose period began before it, one of them with the sub stream', async () => {
    await addDemoPlans(sessionOf('demo'), NOW_MS);
    expect(bodiesOf('POST /api/netflow/plans')).toMatchObject([
      { megabytes: 5_000, resetDay: 15, action: 'none' },
      { resetDay: 15, action: 'sub-stream' },
    ]);
    expect(bodiesOf('PUT /api/netflow/sim')).toMatchObject([{ deviceid: 'BUS-101', plan: 4, version: 0 }]);
  });

  it('keeps plans of an earlier run', async () => {
    left = [{ id: 1 }];
    await addDemoPlans(sessionOf('demo'), NOW_MS);
    expect(calls.every(({ call }) => call.startsWith('GET '))).toBe(true);
  });
});
