import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LinkKind } from '../../../../server/store/links/linkCredentials.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const T0 = 1_795_000_000_000;
const MINUTE = 60_000;
const PATH = '/api/playback/local/ranges';

let test: TestApp;
let owner: number;
beforeEach(async () => {
  test = await createTestApp();
  const { stores } = test;
  const deviceGroup = await stores.deviceGroups.insert('Buses');
  const memberGroup = await stores.memberGroups.insert({ name: 'North' });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  await stores.devices.insert({ deviceId: 'BUS1', archiveId: 'BUS1', name: 'Bus 1', chn: 3, deviceGroup });
  await stores.devices.insert({ deviceId: 'BUS2', archiveId: 'BUS2', name: 'Bus 2', chn: 1, deviceGroup });
  owner = await test.addUser('operator', [], [memberGroup]);
  const segment = (archiveId: string, channel: number, fromMinute: number, toMinute: number) => ({
    archiveId,
    channel,
    quality: 'main' as const,
    bytes: 1,
    groupCount: 1,
    startMs: wallMs(T0 + fromMinute * MINUTE),
    endMs: wallMs(T0 + toMinute * MINUTE),
    deviceStartMs: wallMs(0),
    deviceEndMs: wallMs(0),
  });
  const minutes = [0, 1, 5].map((minute) => segment('BUS1', 1, minute, minute + 1));
  await stores.segments.add([...minutes, segment('BUS1', 2, 2, 3), segment('BUS1', 3, 2, 3), segment('BUS2', 1, 0, 9)]);
});
afterEach(() => test.close());

async function ask(
  query: Readonly<Record<string, string>> = {},
  kinds: readonly LinkKind[] = ['playback'],
  channelMask = 0b011,
) {
  const credential = await test.addLink({ ownerId: owner, deviceId: 'BUS1', channelMask, kinds });
  const window = { from: String(T0 + 0.5 * MINUTE), to: String(T0 + 6 * MINUTE) };
  const link = { username: 'operator', credential, deviceid: 'BUS1' };
  const search = new URLSearchParams({ ...link, ...window, ...query }).toString();
  return test.request({ method: 'GET', url: `${PATH}?${search}` });
}

describe('the recorded ranges of a device', () => {
  it('are those of the channels that the link opens, clipped to the window, gaps left out', async () => {
    const response = await ask();
    expect(response.statusCode).toBe(200);
    const at = (minute: number): number => T0 + minute * MINUTE;
    expect(response.json()).toEqual({
      error: false,
      data: {
        channels: [
          {
            channel: 1,
            ranges: [
              { fromMs: at(0.5), toMs: at(2) },
              { fromMs: at(5), toMs: at(6) },
            ],
          },
          { channel: 2, ranges: [{ fromMs: at(2), toMs: at(3) }] },
        ],
      },
    });
  });

  it('say what of them was fetched from the device later, also where it adjoins what came live', async () => {
    const clocks = { deviceStartMs: wallMs(0), deviceEndMs: wallMs(0) };
    const name = { archiveId: 'BUS1', channel: 1, quality: 'main' as const, origin: 'fetched' as const };
    const at = (minute: number) => wallMs(T0 + minute * MINUTE);
    const times = [2, 3].map((minute) => ({ startMs: at(minute), endMs: at(minute + 1) }));
    await test.stores.segments.add(times.map((time) => ({ ...name, ...time, ...clocks, bytes: 1, groupCount: 1 })));
    const { data } = (await ask()).json();
    expect(data.channels[0]).toEqual({
      channel: 1,
      ranges: [
        { fromMs: at(0.5), toMs: at(4) },
        { fromMs: at(5), toMs: at(6) },
      ],
      fetched: [{ fromMs: at(2), toMs: at(4) }],
    });
    expect(data.channels[1]).not.toHaveProperty('fetched');
  });

  it('are empty for a channel without any', async () => {
    const response = await ask({ from: String(T0 + 100 * MINUTE), to: String(T0 + 101 * MINUTE) }, ['playback'], 0b100);
    expect(response.json()).toMatchObject({ data: { channels: [{ channel: 3, ranges: [] }] } });
  });

  it.each([
    ['a link for live view only', {}, ['live']],
    ['another device', { deviceid: 'BUS2' }, ['playback']],
    ['a wrong credential', { credential: 'wrong' }, ['playback']],
    ['another user', { username: 'somebody' }, ['playback']],
  ] as const)('are refused to %s', async (_who, query, kinds) => {
    const response = await ask(query, kinds);
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ error: true, code: 'link-refused' });
  });

  it.each([
    ['ends before it begins', { from: '2000', to: '1000' }],
    ['is longer than a year', { from: '0', to: String(T0) }],
    ['is no time', { from: 'yesterday' }],
    ['is negative', { from: '-5' }],
  ])('are refused for a window that %s', async (_what, query: Readonly<Record<string, string>>) => {
    const response = await ask(query);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'bad-request' });
  });
});
