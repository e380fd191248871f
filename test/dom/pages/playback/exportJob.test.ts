// One export as its page follows it: what it asks the server and what it tells of the answers.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExportJob, type FollowedExport } from '../../../../shared/player/playback/export/exportJob.ts';

const SOURCE = { username: 'ann', credential: 'c', deviceid: 'DEV1' };
const ASK_INTERVAL_MS = 700;
const running = (share: number) => success({ state: 'running', share });
const UNKNOWN = refusal(404, 'no-such-export');

let requests: string[];
let answers: (() => Promise<Response>)[];
let told: FollowedExport[];
let job: ExportJob;

function success(data: unknown) {
  return () => Promise.resolve(Response.json({ error: false, data }));
}

function refusal(status: number, code: string) {
  return () => Promise.resolve(Response.json({ error: true, code, message: code }, { status }));
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  requests = [];
  answers = [];
  told = [];
  vi.stubGlobal('fetch', (address: string) => {
    requests.push(/export\/(\w+)/.exec(address)?.[1] ?? '');
    const answer = answers.shift();
    if (answer === undefined) throw new Error('nobody expected this question');
    return answer();
  });
  job = new ExportJob(SOURCE, (state) => told.push(state));
});

afterEach(() => {
  job.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const start = (...all: (() => Promise<Response>)[]) => {
  answers.push(...all);
  return job.start([1, 2], { fromMs: 1_000, toMs: 9_000 });
};
const rounds = (count: number) => vi.advanceTimersByTimeAsync(count * ASK_INTERVAL_MS);
const names = () => told.map(({ state }) => state);

describe('an export', () => {
  it('is downloaded from an address that names it, and asked about by that name', async () => {
    const address = new URL(start(running(0.25), running(0.5), success({ state: 'done', share: 1 })), 'http://a');
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      ...SOURCE,
      channels: '1,2',
      from: '1000',
      to: '9000',
    });
    await rounds(10);
    expect(told).toEqual([
      { state: 'running', share: 0.25 },
      { state: 'running', share: 0.5 },
      { state: 'done', share: 1 },
    ]);
    expect(requests).toEqual(['progress', 'progress', 'progress']);
  });

  it('is waited for while the server looks the recordings up, and given up when it never begins', async () => {
    start(UNKNOWN, UNKNOWN, running(0.1), ...Array.from({ length: 19 }, () => UNKNOWN));
    await rounds(40);
    expect(told).toEqual([
      { state: 'running', share: 0.1 },
      { state: 'failed', share: 0 },
    ]);
  });

  it.each([
    [404, 'no-recording'],
    [403, 'link-refused'],
    [429, 'too-many-exports'],
  ])('that is refused with %i %s is over, and the reason is told', async (status, code) => {
    start(refusal(status, code));
    await rounds(10);
    expect(told).toMatchObject([{ state: 'refused', failure: { kind: 'http', status, code } }]);
  });

  it('waits for others as long as they take, and says so', async () => {
    const waiting = success({ state: 'waiting', share: 0 });
    start(UNKNOWN, ...Array.from({ length: 50 }, () => waiting), running(0.5), success({ state: 'done', share: 1 }));
    await rounds(60);
    expect([...new Set(names())]).toEqual(['waiting', 'running', 'done']);
  });

  it('that stalled is over', async () => {
    start(running(0.25), success({ state: 'stalled', share: 0.25 }));
    await rounds(10);
    expect(names()).toEqual(['running', 'stalled']);
  });

  it('outlasts a server that fails for a moment', async () => {
    start(refusal(500, 'internal'), () => Promise.reject(new TypeError('gone')), success({ state: 'done', share: 1 }));
    await rounds(10);
    expect(names()).toEqual(['done']);
  });
});

describe('a cancel', () => {
  it('is told when the server has ended the export', async () => {
    start(running(0.2), success({}));
    await rounds(1);
    job.cancel();
    expect(names()).toEqual(['running']);
    await rounds(10);
    expect(names()).toEqual(['running', 'cancelled']);
    expect(requests).toEqual(['progress', 'cancel']);
  });

  it('ends one that waits', async () => {
    start(success({ state: 'waiting', share: 0 }), success({}));
    await rounds(1);
    job.cancel();
    await rounds(10);
    expect(names()).toEqual(['waiting', 'cancelled']);
  });

  it('that comes before the export has begun is asked for again', async () => {
    start(UNKNOWN, UNKNOWN, success({}));
    job.cancel();
    await rounds(10);
    expect(requests).toEqual(['cancel', 'progress', 'cancel']);
    expect(names()).toEqual(['cancelled']);
  });

  it('of what is complete says that it is complete', async () => {
    start(UNKNOWN, success({ state: 'done', share: 1 }));
    job.cancel();
    await rounds(10);
    expect(names()).toEqual(['done']);
  });

  it('makes an answer worthless that is still under way', async () => {
    let answer: (response: Response) => void = () => {};
    const late = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    start(() => late, success({}));
    await rounds(1);
    job.cancel();
    await rounds(1);
    answer(await running(0.9)());
    await rounds(10);
    expect(names()).toEqual(['cancelled']);
  });
});
