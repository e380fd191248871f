// Exports that get in one another's way: downloads that stall, callers that want many, and those that wait for them. Real
// connections under a clock that the test moves.
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LinkAnswer, LinkRequest } from '../../../../server/auth/linkAccess.ts';
import { type DeviceOpenedDeps, openDevice } from '../../../../server/http/kernel/deviceOpened.ts';
import { refuse } from '../../../../server/http/kernel/envelope.ts';
import { installAudit } from '../../../../server/http/kernel/recordAudit.ts';
import { registerExport } from '../../../../server/http/recordings/exportRoutes.ts';
import { EXPORTS_ACCOUNT_LIMIT, EXPORTS_LIMIT, ExportJobs } from '../../../../server/recording/export/exportJobs.ts';
import type { AuditEntry } from '../../../../server/store/audit/auditEntry.ts';
import type { Device } from '../../../../server/store/devices/devices.ts';
import type { LinkCredential } from '../../../../server/store/links/linkCredentials.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { loadDemoClips } from '../../../../simulator/clip/loadClip.ts';
import { OWNERS_BY_HUNDRED } from '../../../support/fakes/deviceOwners.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { recordChannel } from '../../../support/media/recordedDay.ts';
import { turnUntil, waitFor } from '../../../support/waitFor.ts';
import { openRecordingScene, type RecordingScene } from '../../recording/playback/scene.ts';

const DEVICE = 'BUS1';
const START = Date.UTC(2026, 2, 1, 14);
/** Long enough that a download which nobody reads cannot finish in the system's buffers. */
const END = START + 600_000;
const PATH = '/api/playback/local/export';

/** What a session would be opened by. */
const NOTHING_ELSE = { sessions: {}, devices: {}, evidenceHolds: {}, archives: {} } as unknown as Omit<
  DeviceOpenedDeps,
  'linkAccess'
>;

let recordings: RecordingScene;

beforeAll(async () => {
  recordings = await openRecordingScene();
  const { road } = await loadDemoClips();
  await recordChannel(recordings, { archiveId: DEVICE, channel: 1, clip: road, spans: [{ fromMs: START, toMs: END }] });
});
afterAll(() => recordings.close());

describe('exports of several callers', { timeout: 30_000 }, () => {
  let app: FastifyInstance;
  let timers: ManualTimers;
  let reached: string[];
  let trail: AuditEntry[];
  /** Callers whose access is withdrawn. */
  let closed: Set<string>;
  /** The store of links is slow. */
  let lookingUp: Promise<void> | undefined;
  /** Each test has one member group, unless it says otherwise. */
  let groups: number;
  const owners = {
    ofDevice: OWNERS_BY_HUNDRED.ofDevice,
    get count(): number {
      return groups;
    },
  };
  const requests: ClientRequest[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (name: string): number => numbers.get(name) ?? numbers.set(name, numbers.size + 1).size;

  /** Which links there are stands in their secrets: `ann`, `ann.2` are Ann's. */
  async function checkLink({ credential, deviceId }: LinkRequest): Promise<LinkAnswer> {
    await lookingUp;
    if (closed.has(credential)) return { ok: false };
    const [maker = ''] = credential.split('.');
    const device = { deviceId, archiveId: DEVICE } as Device;
    const link = { id: numberOf(`link ${credential}`), ownerId: numberOf(maker) } as LinkCredential;
    return { ok: true, device, credential: link, opensChannel: () => true, mayTalk: false };
  }

  beforeEach(async () => {
    timers = new ManualTimers();
    groups = 1;
    [reached, trail, closed] = [[], [], new Set()];
    app = Fastify();
    app.decorateRequest('deviceOpened', undefined);
    app.addHook('preHandler', async (request, reply) => {
      const access = request.routeOptions.config.access;
      if (access?.kind !== 'link-or-permission') throw new Error('an export has another access');
      const opened = await openDevice(request, access, { ...NOTHING_ELSE, linkAccess: { check: checkLink } });
      if ('status' in opened) return refuse(reply, opened);
      request.deviceOpened = opened;
      return undefined;
    });
    installAudit(app, { store: { add: async (entry) => void trail.push(entry) }, now: () => wallMs(START) });
    const onLimit = ({ name }: { readonly name: string }): void => void reached.push(name);
    await registerExport(app, {
      gopReader: recordings.gopReader,
      exportJobs: new ExportJobs({ owners, now: timers.now, runAfter: timers.runAfter, onLimit }),
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(async () => {
    for (const request of requests.splice(0)) request.destroy();
    await app.close();
  });

  type Fields = Readonly<Record<string, string>>;
  const addressOf = (path: string, fields: Fields): string =>
    `http://127.0.0.1:${(app.server.address() as AddressInfo).port}${path}?${new URLSearchParams({ deviceid: DEVICE, ...fields })}`;

  interface Asked {
    readonly job: string;
    readonly request: ClientRequest;
    /** Nothing of it is read until the test does. */
    readonly response: Promise<IncomingMessage>;
  }

  let names = 0;
  function ask(account: string, toMs = END, deviceid = DEVICE): Asked {
    const job = `job-${String(++names).padStart(6, '0')}`;
    const range = { channels: '1', from: String(START), to: String(toMs) };
    const request = get(addressOf(PATH, { username: account, credential: account, deviceid, job, ...range }));
    requests.push(request);
    request.on('error', () => undefined);
    const response = once(request, 'response').then(([each]) => {
      (each as IncomingMessage).on('error', () => undefined);
      return each as IncomingMessage;
    });
    response.catch(() => undefined);
    return { job, request, response };
  }

  async function stateOf(account: string, { job }: Asked): Promise<unknown> {
    const answer = await fetch(addressOf(`${PATH}/progress`, { credential: account, job }));
    const { data, code } = (await answer.json()) as { data?: { state: string }; code?: string };
    return data?.state ?? code;
  }

  const becomes = (account: string, requests: Asked, state: string) =>
    waitFor(`${state}`, async () => (await stateOf(account, requests)) === state);

  async function codeOf({ response }: Asked): Promise<unknown> {
    const answer = await response;
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    return [answer.statusCode, (JSON.parse(Buffer.concat(chunks).toString()) as { code: string }).code];
  }

  async function readAll({ response }: Asked): Promise<boolean> {
    const answer = await response;
    answer.resume();
    await once(answer, 'close');
    return answer.complete;
  }

  it('run beside those of a caller whose downloads stall', async () => {
    const stalled = [ask('ann'), ask('ann'), ask('ann'), ask('ann')];
    await becomes('ann', stalled[0] as Asked, 'running');
    await becomes('ann', stalled[3] as Asked, 'waiting');
    const states = await Promise.all(stalled.map((each) => stateOf('ann', each)));
    expect(states.filter((state) => state === 'running')).toHaveLength(EXPORTS_ACCOUNT_LIMIT.max);
    expect(await readAll(ask('bob', START + 60_000))).toBe(true);
    expect(reached).toContain('exports.running.account');
  });

  it('end when nothing is taken for a minute, and make room', async () => {
    const stalled = [ask('ann'), ask('ann'), ask('bob'), ask('bob')];
    for (const [index, each] of stalled.entries()) await becomes(index < 2 ? 'ann' : 'bob', each, 'running');
    const waiting = ask('cho', START + 60_000);
    await becomes('cho', waiting, 'waiting');
    expect(await stateOf('ann', stalled[0] as Asked)).toBe('running');
    await turnUntil('the end of a stalled one', async () => {
      timers.advance(10_000);
      return (await stateOf('ann', stalled[0] as Asked)) === 'stalled';
    });
    expect(await readAll(waiting)).toBe(true);
    expect(await stateOf('cho', waiting)).toBe('done');
    expect(reached).toContain('exports.stall-seconds.download');
    const broken = await (stalled[0] as Asked).response;
    broken.resume();
    await new Promise((resolve) => broken.once('close', resolve));
    expect(broken.complete).toBe(false);
  });

  it('count for whoever made the links by which they are asked for', async () => {
    const links = ['ann', 'ann.2', 'ann.3', 'ann.4'];
    const stalled: Asked[] = [];
    for (const link of links) {
      const requests = ask(link);
      stalled.push(requests);
      await becomes(link, requests, stalled.length <= EXPORTS_ACCOUNT_LIMIT.max ? 'running' : 'waiting');
    }
    expect(await readAll(ask('bob', START + 60_000))).toBe(true);
  });

  it('begin in order, each caller in turn', async () => {
    const running = [ask('ann'), ask('ann')];
    for (const { response } of running) await response;
    for (const { response } of [ask('bob'), ask('bob')]) await response;
    const anns: Asked[] = [];
    for (let index = 0; index < 3; index++) {
      const each = ask('ann', START + 60_000);
      anns.push(each);
      await becomes('ann', each, 'waiting');
    }
    const cho = ask('cho', START + 60_000);
    await becomes('cho', cho, 'waiting');
    (running[0] as Asked).request.destroy();
    // Ann has one running, Cho none: he came later and is next.
    expect(await readAll(cho)).toBe(true);
    for (const each of anns) expect(await readAll(each)).toBe(true);
    expect(trail.map(({ actor }) => actor)).toEqual(['ann', 'ann', 'bob', 'bob', 'cho', 'ann', 'ann', 'ann']);
  });

  it('that wait leave when they are cancelled, when their caller goes, and when access is withdrawn', async () => {
    for (const { response } of [ask('ann'), ask('ann')]) await response;
    const [cancelled, gone, withdrawn] = [ask('ann'), ask('ann'), ask('ann')];
    for (const each of [cancelled, gone, withdrawn]) await becomes('ann', each, 'waiting');
    const cancel = await fetch(addressOf(`${PATH}/cancel`, { credential: 'ann', job: cancelled.job }), {
      method: 'POST',
    });
    expect(cancel.status).toBe(200);
    const nothing = await cancelled.response;
    expect([nothing.statusCode, nothing.headers['content-type'], nothing.headers['content-disposition']]).toEqual([
      204,
      undefined,
      undefined,
    ]);
    expect(await stateOf('ann', cancelled)).toBe('cancelled');
    gone.request.destroy();
    await becomes('ann', gone, 'failed');
    closed.add('ann');
    expect(await codeOf(withdrawn)).toEqual([403, 'link-refused']);
    closed.clear();
    expect(await stateOf('ann', withdrawn)).toBe('failed');
    expect(trail).toHaveLength(2);
  });

  it('of a caller that goes while its link is looked up do not wait', async () => {
    for (const { response } of [ask('ann'), ask('ann')]) await response;
    const connections = (): Promise<number> =>
      new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)));
    const before = await connections();
    let found = (): void => undefined;
    lookingUp = new Promise((resolve) => {
      found = resolve;
    });
    const gone = ask('ann');
    await waitFor('the request to come', async () => (await connections()) > before);
    gone.request.destroy();
    await waitFor('its end', async () => (await connections()) === before);
    lookingUp = undefined;
    found();
    await becomes('ann', gone, 'failed');
  });

  it('are refused when too many of one caller wait, and those of others are not', async () => {
    const requests = Array.from({ length: 2 + 8 }, () => ask('ann'));
    await waitFor('all are in', async () => {
      const states = await Promise.all(requests.map((each) => stateOf('ann', each)));
      return states.filter((state) => state === 'waiting').length === 8;
    });
    expect(await codeOf(ask('ann'))).toEqual([429, 'too-many-exports']);
    expect(await readAll(ask('bob', START + 60_000))).toBe(true);
    expect(reached).toContain('exports.waiting.account');
  });

  it('run beside those of a member group with many accounts', async () => {
    groups = 2;
    const accounts = ['ann', 'bob', 'cho', 'dan', 'eve'];
    const stalled = accounts.map((account) => ask(account, END, 'BUS101'));
    const states = () => Promise.all(accounts.map((account, index) => stateOf(account, stalled[index] as Asked)));
    await waitFor('all are in', async () => (await states()).filter((state) => state === 'waiting').length === 2);
    expect(await readAll(ask('fay', START + 60_000, 'BUS201'))).toBe(true);
    expect((await states()).filter((state) => state === 'running')).toHaveLength(EXPORTS_LIMIT.max - 1);
  });

  it('have one name each', async () => {
    const first = ask('ann');
    await becomes('ann', first, 'running');
    names--;
    expect(await codeOf(ask('ann'))).toEqual([409, 'export-name-taken']);
    expect(await stateOf('ann', first)).toBe('running');
  });

  it('run no more at a time than the machine is meant to bear', async () => {
    const accounts = Array.from({ length: 7 }, (_, index) => `account${index}`);
    const requests = accounts.map((account) => ask(account));
    await waitFor('all are known', async () => {
      const states = await Promise.all(requests.map((each, index) => stateOf(`account${index}`, each)));
      return states.every((state) => state === 'running' || state === 'waiting');
    });
    const states = await Promise.all(requests.map((each, index) => stateOf(`account${index}`, each)));
    expect(states.filter((state) => state === 'running')).toHaveLength(EXPORTS_LIMIT.max);
  });
});
