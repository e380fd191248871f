// The download as its page sees it: a whole gateway and real connections.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSessions } from '../../../../server/auth/sessions.ts';
import { type WallMs, wallMs } from '../../../../shared/protocol/time.ts';
import { loadDemoClips } from '../../../../simulator/clip/loadClip.ts';
import {
  RECORDED_DEVICE,
  RECORDED_OWNER,
  type RecordedGateway,
  startRecordedGateway,
} from '../../../support/gateway/recordedGateway.ts';
import { within } from '../../../support/runner/processorTime.ts';
import { waitFor } from '../../../support/waitFor.ts';

const START = Date.UTC(2026, 2, 1, 14);
/** Long enough that a download which nobody reads cannot finish in the system's buffers. */
const END = START + 600_000;
const PATH = '/api/playback/local/export';

describe('an export', () => {
  let recorded: RecordedGateway;
  let credential: string;

  beforeAll(async () => {
    recorded = await startRecordedGateway(['export']);
    ({ credential } = await recorded.link(['export']));
    const clips = await loadDemoClips();
    await recorded.record({ channel: 1, clip: clips.road, spans: [{ fromMs: START, toMs: END }], withSound: true });
    await recorded.record({ channel: 2, clip: clips.cabin, spans: [{ fromMs: START, toMs: START + 60_000 }] });
  });
  afterAll(() => recorded.close());

  type Fields = Readonly<Record<string, string>>;
  const addressOf = (path: string, fields: Fields): string => {
    const all = { username: RECORDED_OWNER, credential, deviceid: RECORDED_DEVICE, ...fields };
    return `${recorded.gateway.address}${path}?${new URLSearchParams(all)}`;
  };
  const range = (fields: Fields = {}): Fields => ({
    channels: '1',
    from: String(START),
    to: String(START + 10_000),
    ...fields,
  });
  const codeOf = async (response: Response): Promise<unknown> => ((await response.json()) as { code: unknown }).code;
  const progress = async (job: string): Promise<unknown> =>
    ((await (await fetch(addressOf(`${PATH}/progress`, { job }))).json()) as { data: unknown }).data;

  /** A connection of which nothing is read until the test does. */
  async function openSlowly(fields: Fields): Promise<IncomingMessage> {
    const request = get(addressOf(PATH, fields));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => {});
    return response;
  }

  it('is a mp4 under a safe name', async () => {
    const response = await fetch(addressOf(PATH, range()));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('video/mp4');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="BUS1_ch1_20260301T140000Z.mp4"');
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(String.fromCharCode(...bytes.subarray(4, 8))).toBe('ftyp');
    expect(String.fromCharCode(...bytes.subarray(-16, -12).subarray(0, 0), ...bytes.subarray(-12, -8))).toBe('mfro');
  });

  it('of several channels is an archive of the same mp4s', async () => {
    const archive = Buffer.from(await (await fetch(addressOf(PATH, range({ channels: '1,2' })))).arrayBuffer());
    expect(archive.subarray(0, 2).toString()).toBe('PK');
    for (const channel of ['1', '2']) {
      const mp4 = Buffer.from(await (await fetch(addressOf(PATH, range({ channels: channel })))).arrayBuffer());
      expect(archive.includes(`BUS1_ch${channel}_20260301T140000Z.mp4`)).toBe(true);
      const at = archive.indexOf(mp4.subarray(0, 4_000));
      const held = archive.subarray(at, at + mp4.length);
      expect(createHash('sha256').update(held).digest('hex')).toBe(createHash('sha256').update(mp4).digest('hex'));
    }
  });

  it('leaves out channels of which nothing is recorded, and is refused when that is all of them', async () => {
    expect((await fetch(addressOf(PATH, range({ channels: '1,3' })))).headers.get('content-type')).toBe('video/mp4');
    const empty = await fetch(addressOf(PATH, range({ channels: '3,4' })));
    expect([empty.status, await codeOf(empty)]).toEqual([404, 'no-recording']);
  });

  it.each([
    [{ to: String(START - 1) }, 400, 'bad-request'],
    [{ to: String(START + 90_000_000) }, 400, 'bad-request'],
    [{ channels: 'all' }, 400, 'bad-request'],
    [{ channels: '0' }, 403, 'link-refused'],
    [{ credential: 'wrong' }, 403, 'link-refused'],
    [{ deviceid: 'OTHER' }, 403, 'link-refused'],
  ])('with %o is refused', async (fields, status, code) => {
    const response = await fetch(addressOf(PATH, range(fields)));
    expect([response.status, await codeOf(response)]).toEqual([status, code]);
  });

  it('needs a link of its own kind, and one that opens every channel', async () => {
    const { credential: playback } = await recorded.link(['playback']);
    expect((await fetch(addressOf(PATH, range({ credential: playback })))).status).toBe(403);
    const { credential: first } = await recorded.link(['export'], 1);
    expect((await fetch(addressOf(PATH, range({ credential: first, channels: '1,2' })))).status).toBe(403);
    expect((await fetch(addressOf(PATH, range({ credential: first })))).status).toBe(200);
  });

  it('tells how far it is, and that it is done', async () => {
    const response = await openSlowly(range({ job: 'job-progress', to: String(END) }));
    expect(await progress('job-progress')).toMatchObject({ state: 'running' });
    response.resume();
    await waitFor('its end', async () => ((await progress('job-progress')) as { state: string }).state !== 'running');
    expect(await progress('job-progress')).toEqual({ state: 'done', share: 1 });
  });

  it('that was refused says why to the page that asks for it, and to no other', async () => {
    const fields = { job: 'job-refused', channels: '3' };
    expect((await fetch(addressOf(PATH, range(fields)))).status).toBe(404);
    const reason = await fetch(addressOf(`${PATH}/progress`, { job: 'job-refused' }));
    expect([reason.status, await codeOf(reason)]).toEqual([404, 'no-recording']);
    const { credential: other } = await recorded.link(['export']);
    const requests = await fetch(addressOf(`${PATH}/progress`, { job: 'job-refused', credential: other }));
    expect(await codeOf(requests)).toBe('no-such-export');
    // The name is free for a range of which something is recorded.
    await (await fetch(addressOf(PATH, range({ job: 'job-refused' })))).arrayBuffer();
    expect(await progress('job-refused')).toEqual({ state: 'done', share: 1 });
  });

  it('is ended by its page, and the download breaks off', async () => {
    const response = await openSlowly(range({ job: 'job-cancel', to: String(END) }));
    const cancelled = await fetch(addressOf(`${PATH}/cancel`, { job: 'job-cancel' }), {
      method: 'POST',
      headers: { origin: recorded.gateway.address },
    });
    expect(cancelled.status).toBe(200);
    response.resume();
    await waitFor('the break', () => response.destroyed);
    expect(response.complete).toBe(false);
    expect(await progress('job-cancel')).toMatchObject({ state: 'cancelled' });
  });

  it('ends when its reader leaves', async () => {
    const response = await openSlowly(range({ job: 'job-leave', to: String(END) }));
    response.destroy();
    await waitFor('its end', async () => ((await progress('job-leave')) as { state: string }).state === 'failed');
  });

  it('breaks off within two seconds when its link is revoked', async () => {
    const { id, credential: other } = await recorded.link(['export']);
    const response = await openSlowly(range({ credential: other, to: String(END) }));
    await within(3_000, async () => {
      await recorded.gateway.stores.linkCredentials.revoke(id, wallMs(Date.now()));
      await new Promise((resolve) => setTimeout(resolve, 1_300));
      response.resume();
      await waitFor('the break', () => response.destroyed);
    });
    expect(response.complete).toBe(false);
  });

  it('is made while those of another member stall, who has two places for all links and sessions together', async () => {
    const { gateway, ownerId, memberGroup } = recorded;
    const { stores } = gateway;
    const now = (): WallMs => wallMs(Date.now());
    const { credential: second } = await recorded.link(['export']);
    const owner = await stores.users.find(ownerId);
    if (owner === undefined) throw new Error('gone');
    const sessions = createSessions({ ...stores, now, onLimit: () => undefined });
    const { id } = await sessions.begin(owner, { address: '192.0.2.1', userAgent: 'test' }, false);
    const headers = { cookie: `fleetglass_sid=${id}` };
    const ownAddress = (path: string, fields: Fields): string =>
      `${gateway.address}${path}?${new URLSearchParams({ deviceid: RECORDED_DEVICE, job: 'job-stalled-3', ...fields })}`;
    const stateOfOwn = async (): Promise<unknown> =>
      ((await (await fetch(ownAddress(`${PATH}/progress`, {}), { headers })).json()) as { data?: unknown }).data;
    const long = range({ to: String(END) });

    const stalled = [
      get(addressOf(PATH, { ...long, job: 'job-stalled-1' })),
      get(addressOf(PATH, { ...long, job: 'job-stalled-2', credential: second })),
    ];
    await Promise.all(stalled.map((request) => once(request, 'response')));
    stalled.push(get(ownAddress(PATH, long), { headers }));
    for (const request of stalled) request.on('error', () => {});
    expect(await waitFor('the third', stateOfOwn)).toMatchObject({ state: 'waiting' });

    const bob = await stores.users.insert({ username: 'bob', passwordHash: '-', permissions: [] }, now());
    await stores.memberGroups.setGroupsOfUser(bob, [memberGroup]);
    const { credential: other } = await recorded.link(['export'], 15, bob);
    const response = await fetch(addressOf(PATH, range({ username: 'bob', credential: other })));
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    expect(await stateOfOwn()).toMatchObject({ state: 'waiting' });
    for (const request of stalled) request.destroy();
  });

  it('is none of another caller’s business', async () => {
    const response = await openSlowly(range({ job: 'job-own-one', to: String(END) }));
    const { credential: other } = await recorded.link(['export']);
    const requests = await fetch(addressOf(`${PATH}/progress`, { job: 'job-own-one', credential: other }));
    expect([requests.status, await codeOf(requests)]).toEqual([404, 'no-such-export']);
    response.destroy();
  });

  it('is written into the trail', async () => {
    await (await fetch(addressOf(PATH, range()))).arrayBuffer();
    const [entry] = await recorded.gateway.stores.audit.list({ limit: 1 });
    expect(entry).toMatchObject({ actor: RECORDED_OWNER, action: 'export.begin', target: RECORDED_DEVICE });
  });
});
