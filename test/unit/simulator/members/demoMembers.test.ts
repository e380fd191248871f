// The demo's members, against a gateway that answers as ours does.
import { beforeEach, describe, expect, it } from 'vitest';
import { DemoMembers } from '../../../../simulator/members/demoMembers.ts';
import { DemoSession } from '../../../../simulator/members/demoSession.ts';
import { setDemoSnapshots } from '../../../../simulator/members/demoSnapshots.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';

interface Call {
  readonly seconds: number;
  readonly cookie: string | null;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

const EVENT_ID = 41;
const EVENT_TYPES = [
  {
    code: 'emergency',
    version: 1,
    isBuiltIn: true,
    unit: 'none',
    hasRule: false,
    snapshotChannels: [],
    severity: 'critical',
  },
  { code: 'phone-use', version: 2, isBuiltIn: true, unit: 'none', hasRule: false, snapshotChannels: [] },
  { code: 'speeding', version: 1, isBuiltIn: true, unit: 'none', hasRule: true, snapshotChannels: [] },
];

let timers: ManualTimers;
let calls: Call[];
let faults: Error[];
/** When the event is there. */
let raisedAtSeconds: number;
let isTakenBySomebodyElse: boolean;
let version: number;

beforeEach(() => {
  timers = new ManualTimers();
  calls = [];
  faults = [];
  raisedAtSeconds = 7;
  isTakenBySomebodyElse = false;
  version = 1;
});

const gateway: typeof fetch = async (input, init) => {
  const { pathname, search } = new URL(String(input));
  const body: unknown = init?.body === undefined ? undefined : JSON.parse(String(init.body));
  const cookie = new Headers(init?.headers).get('cookie');
  const path = `${pathname}${search}`;
  calls.push({ seconds: timers.now() / 1000, cookie, method: init?.method ?? 'GET', path, body });
  return answerOf(pathname, body);
};

function answerOf(path: string, body: unknown): Response {
  const isThere = timers.now() >= raisedAtSeconds * 1000;
  const event = { id: EVENT_ID, version };
  switch (path) {
    case '/api/user/login': {
      const { username } = body as { readonly username: string };
      const cookies = [`session=${username}; HttpOnly; Path=/`, 'browser=1; HttpOnly'];
      return ok({ login: true }, new Headers(cookies.map((cookie) => ['set-cookie', cookie])));
    }
    case '/api/event/events':
      return ok({ rows: isThere ? [event] : [] });
    case '/api/eventdefine/types':
      return ok(EVENT_TYPES);
    default:
      if (isTakenBySomebodyElse) return ok({ events: [], refused: [{ id: EVENT_ID, failure: 'conflict' }] });
      version++;
      return ok({ events: [{ id: EVENT_ID, version }], refused: [] });
  }
}

function ok(data: unknown, headers = new Headers()): Response {
  return Response.json({ error: false, data }, { headers });
}

const sessionOf = (username: string, send: typeof fetch = gateway): DemoSession =>
  new DemoSession({
    address: 'http://localhost:8080',
    account: { userId: 1, username, password: 'secret' },
    fetch: send,
  });

const membersWith = (send: typeof fetch = gateway): DemoMembers =>
  new DemoMembers({
    administrator: sessionOf('demo', send),
    operator: sessionOf('operator', send),
    runAfter: timers.runAfter,
    onFault: (error) => faults.push(error),
  });

/** Lets time pass, and what waits for answers go on. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    timers.advance(1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const acts = () => calls.filter(({ path }) => path === '/api/event/act');

describe("the demo's members", () => {
  it('answer the first event of its type: seen, assigned, with a note, closed by the second member', async () => {
    membersWith().start();
    await pass(60);
    const [demo, operator] = ['session=demo; browser=1', 'session=operator; browser=1'];
    expect(acts()).toMatchObject([
      { cookie: demo, method: 'POST', body: { act: 'acknowledge', events: [{ id: EVENT_ID, version: 1 }] } },
      { cookie: demo, body: { act: 'assign', assignee: 'operator', events: [{ id: EVENT_ID, version: 2 }] } },
      { cookie: operator, body: { act: 'note', events: [{ id: EVENT_ID, version: 3 }] } },
      { cookie: operator, body: { act: 'close', reason: 'real', events: [{ id: EVENT_ID, version: 4 }] } },
    ]);
    expect(acts().at(-1)?.seconds).toBeLessThan(30);
    expect(calls.filter(({ path }) => path === '/api/user/login')).toHaveLength(2);
    expect(calls.some(({ path }) => path === '/api/event/events?types=phone-use&statuses=new')).toBe(true);
    expect(timers.pending).toBe(0);
    expect(faults).toEqual([]);
  });

  it('leave an event that somebody else has answered first', async () => {
    isTakenBySomebodyElse = true;
    membersWith().start();
    await pass(60);
    expect(acts()).toHaveLength(1);
    expect(timers.pending).toBe(0);
  });

  it('give up when no event comes, or the gateway cannot be reached', async () => {
    raisedAtSeconds = 10_000;
    membersWith().start();
    membersWith(() => Promise.reject(new TypeError('fetch failed'))).start();
    membersWith(async () => new Response('', { status: 404 })).start();
    await pass(300);
    expect(acts()).toEqual([]);
    expect(timers.pending).toBe(0);
    expect(faults).toEqual([]);
  });

  it('stop with the demo', async () => {
    const members = membersWith();
    members.start();
    await pass(2);
    members.stop();
    await pass(60);
    expect(calls).toEqual([]);
    expect(timers.pending).toBe(0);
  });
});

describe("the demo's snapshots", () => {
  it('are set for types that nobody has changed', async () => {
    await setDemoSnapshots(sessionOf('demo'));
    const changes = calls.filter(({ method }) => method === 'PUT');
    expect(changes).toMatchObject([{ path: '/api/eventdefine/types/emergency', cookie: 'session=demo; browser=1' }]);
    expect(changes[0]?.body).toEqual({ severity: 'critical', snapshotChannels: [1, 3], version: 1 });
  });

  it('are not set where the gateway cannot be reached', async () => {
    await setDemoSnapshots(sessionOf('demo', () => Promise.reject(new TypeError('fetch failed'))));
    expect(calls).toEqual([]);
  });
});
