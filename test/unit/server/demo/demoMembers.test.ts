// The demo's members, against a gateway that answers as ours does.
import { beforeEach, expect, it } from 'vitest';
import { DemoMembers } from '../../../../server/demo/demoMembers.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';

interface Call {
  readonly seconds: number;
  readonly who: string;
  readonly path: string;
  readonly body: unknown;
}

let timers: ManualTimers;
let calls: Call[];
let faults: Error[];
/** When the event is there. */
let raisedAtSeconds: number;
let members: DemoMembers;

const EVENT_ID = 41;

beforeEach(() => {
  timers = new ManualTimers();
  calls = [];
  faults = [];
  raisedAtSeconds = 7;
  members = new DemoMembers({ ...depsOf(), fetch: answer });
});

const answer: typeof fetch = async (input, init) => {
  const { pathname, search } = new URL(String(input));
  const body: unknown = init?.body === undefined ? undefined : JSON.parse(String(init.body));
  const headers = new Headers(init?.headers);
  const who = headers.get('cookie') ?? '';
  calls.push({ seconds: timers.now() / 1000, who, path: `${pathname}${search}`, body });
  return answerOf(pathname, body);
};

let version = 1;

function answerOf(path: string, body: unknown): Response {
  if (path === '/api/user/login') {
    const { username } = body as { readonly username: string };
    const cookies = new Headers([
      ['set-cookie', `session=${username}; HttpOnly; Path=/`],
      ['set-cookie', 'browser=1; HttpOnly'],
    ]);
    return Response.json({ error: false, data: { login: true } }, { headers: cookies });
  }
  const isThere = timers.now() >= raisedAtSeconds * 1000;
  if (path === '/api/event/events') {
    version = 1;
    return Response.json({ error: false, data: { rows: isThere ? [{ id: EVENT_ID, version }] : [] } });
  }
  version++;
  return Response.json({ error: false, data: { events: [{ id: EVENT_ID, version }], refused: [] } });
}

/** Lets time pass, and what waits for answers go on. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    timers.advance(1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const acts = () => calls.filter(({ path }) => path === '/api/event/act');

it('answer the first event of its type: seen, assigned, with a note, closed by the second member', async () => {
  members.start();
  await pass(60);
  expect(acts()).toMatchObject([
    { who: 'session=demo; browser=1', body: { act: 'acknowledge', events: [{ id: EVENT_ID, version: 1 }] } },
    { who: 'session=demo; browser=1', body: { act: 'assign', assignee: 'operator', events: [{ version: 2 }] } },
    { who: 'session=operator; browser=1', body: { act: 'note', events: [{ version: 3 }] } },
    { who: 'session=operator; browser=1', body: { act: 'close', reason: 'real', events: [{ version: 4 }] } },
  ]);
  expect(acts().at(-1)?.seconds).toBeLessThan(30);
  expect(calls.filter(({ path }) => path === '/api/user/login')).toHaveLength(2);
  expect(timers.pending).toBe(0);
  expect(faults).toEqual([]);
});

it('leave an event that somebody else has answered first', async () => {
  members = new DemoMembers({
    ...depsOf(),
    fetch: async (input, init) => {
      const response = await answer(input, init);
      const isAct = String(input).includes('/act');
      return isAct ? Response.json({ error: false, data: { events: [], refused: [{ id: EVENT_ID }] } }) : response;
    },
  });
  members.start();
  await pass(60);
  expect(acts()).toHaveLength(1);
  expect(timers.pending).toBe(0);
});

it('give up when no event comes, or the gateway cannot be reached', async () => {
  raisedAtSeconds = 10_000;
  members.start();
  await pass(400);
  expect(acts()).toEqual([]);
  expect(timers.pending).toBe(0);
  const unreachable = new DemoMembers({ ...depsOf(), fetch: () => Promise.reject(new TypeError('fetch failed')) });
  unreachable.start();
  await pass(400);
  expect(timers.pending).toBe(0);
  expect(faults).toEqual([]);
});

it('stop with the demo', async () => {
  members.start();
  await pass(2);
  members.stop();
  await pass(60);
  expect(calls).toEqual([]);
  expect(timers.pending).toBe(0);
});

function depsOf() {
  return {
    address: 'http://localhost:8080',
    accounts: {
      administrator: { userId: 1, username: 'demo', password: 'a' },
      operator: { userId: 2, username: 'operator', password: 'b' },
    },
    runAfter: timers.runAfter,
    onFault: (error: Error) => void faults.push(error),
  };
}
