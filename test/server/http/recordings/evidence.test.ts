import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HeldRange } from '../../../../server/store/recordings/evidenceHolds.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { createTestApp, type TestApp } from '../testApp.ts';
import { MAX_EVIDENCE_BYTES } from '../testRecordings.ts';

const START = 1_780_000_000_000;
const PATH = '/api/playback/evidence';

describe('evidence', () => {
  let test: TestApp;
  let cookie: string;
  let stranger: string;

  beforeAll(async () => {
    test = await createTestApp();
    const [own, foreign] = [
      await test.stores.deviceGroups.insert('Own'),
      await test.stores.deviceGroups.insert('Other'),
    ];
    const members = await test.stores.memberGroups.insert({ name: 'Members' });
    const others = await test.stores.memberGroups.insert({ name: 'Others' });
    await test.stores.memberGroups.setDeviceGroups(members, [own]);
    await test.stores.memberGroups.setDeviceGroups(others, [foreign]);
    await test.stores.devices.insert({ deviceId: 'BUS1', archiveId: 'BUS1', name: 'Bus', chn: 2, deviceGroup: own });
    await test.stores.devices.insert({
      deviceId: 'BUS2',
      archiveId: 'BUS2',
      name: 'Bus',
      chn: 2,
      deviceGroup: foreign,
    });
    await test.addUser('ada', ['evidence'], [members]);
    await test.addUser('eve', ['evidence'], [others]);
    await test.stores.segments.add([1, 2].flatMap((channel) => [0, 1, 2, 3].map((minute) => segment(channel, minute))));
    cookie = await test.signIn('ada');
    stranger = await test.signIn('eve');
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    for (const { id } of await test.stores.evidenceHolds.inForce()) {
      await test.stores.evidenceHolds.release(id, 'test', wallMs(START));
    }
  });

  function segment(channel: number, minute: number, archiveId = 'BUS1') {
    const startMs = wallMs(START + minute * 60_000);
    const times = { startMs, endMs: wallMs(startMs + 60_000), deviceStartMs: startMs, deviceEndMs: startMs };
    return { archiveId, channel, quality: 'main' as const, ...times, bytes: 3_000, groupCount: 30 };
  }

  const hold = (fields: Readonly<Record<string, unknown>> = {}, by = cookie) => {
    const body = { deviceid: 'BUS1', channel: 1, fromMs: START, toMs: START + 90_000, reason: 'A bump.', ...fields };
    return test.request({ method: 'POST', url: PATH, headers: { cookie: by }, body });
  };
  const release = (id: number, by = cookie) =>
    test.request({ method: 'POST', url: `${PATH}/release`, headers: { cookie: by }, body: { id } });
  const list = async (by = cookie) => {
    const response = await test.request({ method: 'GET', url: PATH, headers: { cookie: by } });
    return (response.json() as { data: { id: number; reason: string; releasedBy: string }[] }).data;
  };

  it('is held with a reason, listed, released once, and all of it is in the trail', async () => {
    const held = await hold();
    expect(held.statusCode).toBe(200);
    const { id } = (held.json() as { data: { id: number } }).data;
    expect((await list())[0]).toMatchObject({
      id,
      deviceid: 'BUS1',
      channel: 1,
      reason: 'A bump.',
      heldBy: 'ada',
      releasedAtMs: 0,
    });
    expect(await test.stores.evidenceHolds.inForce('BUS1')).toHaveLength(1);
    expect((await release(id)).statusCode).toBe(200);
    expect((await release(id)).json()).toMatchObject({ code: 'no-such-evidence' });
    expect((await list())[0]).toMatchObject({ id, releasedBy: 'ada' });
    expect(await test.stores.evidenceHolds.inForce('BUS1')).toEqual([]);
    const trail = (await test.stores.audit.list({ limit: 2 })).map(({ action, actor, target }) => [
      action,
      actor,
      target,
    ]);
    expect(trail).toEqual([
      ['evidence.release', 'ada', 'BUS1'],
      ['evidence.hold', 'ada', 'BUS1'],
    ]);
  });

  it('has room up to its quota, in which what is held twice counts once', async () => {
    expect(MAX_EVIDENCE_BYTES).toBe(10_000);
    expect((await hold({ toMs: START + 180_000 })).statusCode).toBe(200);
    expect((await hold({ toMs: START + 120_000 })).statusCode).toBe(200);
    const more = await hold({ channel: 0 });
    expect([more.statusCode, (more.json() as { code: string }).code]).toEqual([409, 'evidence-full']);
  });

  it('of two that come at once only as much is held as fits', async () => {
    const both = await Promise.all([hold({ toMs: START + 120_000 }), hold({ channel: 2, toMs: START + 120_000 })]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });

  it.each([
    [{ toMs: START }, 400, 'bad-request'],
    [{ toMs: START + 8 * 86_400_000 }, 400, 'bad-request'],
    [{ reason: '' }, 400, 'bad-request'],
    [{ deviceid: 'BUS2' }, 404, 'no-such-device'],
    [{ deviceid: 'NONE' }, 404, 'no-such-device'],
    [{ channel: 7 }, 404, 'no-recording'],
  ])('with %o is refused', async (fields, status, code) => {
    const response = await hold(fields);
    expect([response.statusCode, (response.json() as { code: string }).code]).toEqual([status, code]);
  });

  it('of another group’s device is neither seen nor released', async () => {
    const { id } = ((await hold()).json() as { data: { id: number } }).data;
    expect((await list(stranger)).map((each) => each.id)).not.toContain(id);
    expect((await release(id, stranger)).json()).toMatchObject({ code: 'no-such-evidence' });
    expect((await hold({}, stranger)).json()).toMatchObject({ code: 'no-such-device' });
  });

  describe('of member groups that share the space', () => {
    beforeAll(async () => {
      await test.stores.segments.add([0, 1, 2, 3].map((minute) => segment(1, minute, 'BUS2')));
      await test.owners.reload();
    });

    const codeOf = async (answer: ReturnType<typeof hold>) => ((await answer).json() as { code: string }).code;
    const minutes = (from: number, to: number) => ({ fromMs: START + from * 60_000, toMs: START + to * 60_000 });
    const holdForEvent = (minute: number, eventId: number) => {
      const range = { archiveId: 'BUS1', channel: 1, ...minutes(minute, minute + 1) } as HeldRange;
      const event = { eventId, eventBeginAtMs: START, archiveNumber: 1, reason: 'Event' };
      return test.stores.eventHolds.add({ ...event, range }, START);
    };

    it('is held up to an equal share, whatever another group holds', async () => {
      expect((await hold(minutes(0, 1))).statusCode).toBe(200);
      const beyond = await hold(minutes(1, 2));
      expect([beyond.statusCode, await codeOf(Promise.resolve(beyond))]).toEqual([409, 'evidence-share-used']);
      expect((await hold({ ...minutes(0, 1), deviceid: 'BUS2' }, stranger)).statusCode).toBe(200);
      expect(await codeOf(hold({ ...minutes(1, 2), deviceid: 'BUS2' }, stranger))).toBe('evidence-share-used');
    });

    it('comes before clips of events, of which the oldest of the group with the most are released', async () => {
      for (const minute of [0, 1, 2]) await holdForEvent(minute, minute + 1);
      expect((await hold({ ...minutes(0, 1), deviceid: 'BUS2' }, stranger)).statusCode).toBe(200);
      const held = await test.stores.evidenceHolds.inForce();
      expect(held.map(({ deviceId, fromMs }) => [deviceId, (fromMs - START) / 60_000])).toEqual([
        ['BUS2', 0],
        ['BUS1', 1],
        ['BUS1', 2],
      ]);
      expect((await test.stores.eventMedia.ofEvent(1)).map(({ state }) => state)).toEqual(['removed']);
    });

    it('of two that come at once of different groups, only as much is held as each may', async () => {
      const both = await Promise.all([
        hold(minutes(0, 1)),
        hold(minutes(1, 2)),
        hold({ ...minutes(0, 1), deviceid: 'BUS2' }, stranger),
        hold({ ...minutes(1, 2), deviceid: 'BUS2' }, stranger),
      ]);
      expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 409, 409]);
      expect(new Set((await test.stores.evidenceHolds.inForce()).map(({ deviceId }) => deviceId)).size).toBe(2);
    });
  });
});
