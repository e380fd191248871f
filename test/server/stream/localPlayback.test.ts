// A page plays what was recorded: the whole gateway, its database, its disk and real sockets.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { LEAD_MS } from '../../../server/recording/playback/channelFeed.ts';
import { StreamPath } from '../../../shared/protocol/api.ts';
import {
  parseStreamEvent,
  type StreamEvent,
  type ViewerMessage,
} from '../../../shared/protocol/stream/streamMessages.ts';
import { PacketKind, readMessage, type StreamPacket } from '../../../shared/protocol/stream/streamPacket.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { FRAME_MS } from '../../../simulator/clip/clipFormat.ts';
import { loadDemoClips } from '../../../simulator/clip/loadClip.ts';
import {
  RECORDED_DEVICE,
  RECORDED_OWNER,
  type RecordedGateway,
  startRecordedGateway,
} from '../../support/gateway/recordedGateway.ts';
import { within } from '../../support/runner/processorTime.ts';
import { waitFor } from '../../support/waitFor.ts';

const START = Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000;
const END = START + 120_000;

let recorded: RecordedGateway;
let credential: string;
const sockets: WebSocket[] = [];

beforeAll(async () => {
  recorded = await startRecordedGateway();
  ({ credential } = await recorded.link(['playback']));
  const clips = await loadDemoClips();
  const spans = [{ fromMs: START, toMs: END }];
  await recorded.record({ channel: 1, clip: clips.road, spans, withSound: true });
  await recorded.record({ channel: 2, clip: clips.rear, spans });
  await recorded.record({ channel: 3, clip: clips.cabin, spans });
  await recorded.record({ channel: 4, clip: clips.side, spans });
});
afterAll(() => recorded.close());
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});

interface Arrival {
  readonly packet: StreamPacket;
  readonly atMs: number;
}

let streams = 0;

function open(channel: number, fields: Readonly<Record<string, string>> = {}) {
  const query = new URLSearchParams({
    username: RECORDED_OWNER,
    credential,
    deviceid: RECORDED_DEVICE,
    channel: String(channel),
    audio: '1',
    streamid: String(streams),
    spbtime: String((START + 10_000) / 1000),
    ...fields,
  });
  const openedMs = performance.now();
  const socket = new WebSocket(`${recorded.gateway.address.replace('http', 'ws')}${StreamPath.LocalPlayback}?${query}`);
  socket.binaryType = 'arraybuffer';
  sockets.push(socket);
  const arrivals: Arrival[] = [];
  const closed: number[] = [];
  socket.on('message', (data: ArrayBuffer) => {
    const atMs = performance.now();
    for (const packet of readMessage(new Uint8Array(data)).packets) arrivals.push({ packet, atMs });
  });
  socket.on('close', (code) => closed.push(code));
  const events = (): StreamEvent[] =>
    arrivals
      .filter(({ packet }) => packet.kind === PacketKind.Event)
      .map(({ packet }) => parseStreamEvent(packet.payload))
      .filter((event) => event !== undefined);
  const pictures = (): Arrival[] => arrivals.filter(({ packet }) => packet.kind === PacketKind.Video);
  const say = (message: ViewerMessage): void => socket.send(JSON.stringify(message));
  return { openedMs, socket, arrivals, closed, events, pictures, say };
}

const placeOf = ({ packet }: Arrival): number => packet.mediaTimeUs / 1000;

describe('a page that plays what was recorded', () => {
  it('is sent clock, sound format and pictures on the time line of the recording', async () => {
    streams++;
    const { openedMs, arrivals, events, pictures } = open(1);
    await waitFor('a second of pictures', () => pictures().length > 35);
    const [clock] = events();
    expect(clock).toMatchObject({ type: 'clock', speed: 1, paused: false });
    // It runs from the moment at which the session is made, and is told at once.
    const ranMs = clock?.type === 'clock' ? clock.positionMs - START - 10_000 : Number.NaN;
    expect(ranMs).toBeGreaterThanOrEqual(0);
    expect(ranMs).toBeLessThanOrEqual((arrivals[0]?.atMs ?? 0) - openedMs);
    expect(events()[1]).toMatchObject({ type: 'format', sampleRate: 8_000 });
    expect(placeOf(pictures()[0] as Arrival)).toBe(START + 10_000);
    expect(pictures()[0]?.packet).toMatchObject({ key: true, discontinuity: true });
    expect(pictures().every((each, index) => placeOf(each) === START + 10_000 + index * FRAME_MS)).toBe(true);
    expect(arrivals.some(({ packet }) => packet.kind === PacketKind.Audio)).toBe(true);
  });

  it('is sent pictures no faster than they were taken', async () => {
    streams++;
    const { openedMs, pictures } = open(1, { audio: '0' });
    await waitFor('two seconds of pictures', () => pictures().length > 60);
    // Sent after the session was made and before it came: however late this process looks, none was sent sooner than that.
    const earlyMs = pictures().map((each) => placeOf(each) - START - 10_000 - (each.atMs - openedMs));
    expect(Math.max(...earlyMs)).toBeLessThanOrEqual(LEAD_MS);
  });

  it('has four channels in step', async () => {
    streams++;
    const viewers = [1, 2, 3, 4].map((channel) => open(channel));
    await waitFor('pictures on all', () => viewers.every(({ pictures }) => pictures().length > 80));
    viewers[0]?.say({ type: 'seek', positionMs: START + 60_000 });
    const isThere = ({ pictures }: ReturnType<typeof open>) =>
      pictures().some((each) => placeOf(each) === START + 62_000);
    await waitFor('all have moved', () => viewers.every(isThere));
    // Channel 3 shows its pictures in another order than they come: its turn is that of its latest.
    const arrivalsOf = (place: number) =>
      viewers.map(
        ({ pictures }) => pictures().filter((each) => placeOf(each) >= place && placeOf(each) < place + 4_000)[0],
      );
    for (const place of [START + 60_600, START + 61_000, START + 61_400]) {
      const times = arrivalsOf(place).map((each) => each?.atMs ?? Number.NaN);
      expect(Math.max(...times) - Math.min(...times)).toBeLessThan(200);
    }
    const clocks = viewers.map(({ events }) => events().filter(({ type }) => type === 'clock').length);
    expect(Math.max(...clocks) - Math.min(...clocks)).toBeLessThanOrEqual(1);
  });

  it('pauses, seeks, steps and resumes', async () => {
    streams++;
    const { events, pictures, say } = open(1, { audio: '0' });
    await waitFor('the first picture', () => pictures().length > 0);
    say({ type: 'pause' });
    await waitFor('the pause', () => events().some((event) => event.type === 'clock' && event.paused));
    say({ type: 'seek', positionMs: START + 33_333 });
    await waitFor('the picture', () => placeOf(pictures().at(-1) as Arrival) === START + 33_320);
    say({ type: 'step', frames: 1 });
    await waitFor('the next one', () => placeOf(pictures().at(-1) as Arrival) === START + 33_360);
    say({ type: 'step', frames: -2 });
    await waitFor('the one before', () => placeOf(pictures().at(-1) as Arrival) === START + 33_280);
    say({ type: 'resume' });
    await waitFor('it goes on', () => placeOf(pictures().at(-1) as Arrival) >= START + 34_000);
  });

  it('is shown the last of very many places, and cut off when they are more than any page asks for', async () => {
    streams++;
    const { events, pictures, say, closed } = open(1, { audio: '0' });
    await waitFor('the first picture', () => pictures().length > 0);
    say({ type: 'pause' });
    const before = pictures().length;
    for (let number = 0; number < 800; number++)
      say({ type: 'seek', positionMs: START + ((number * 7_919) % 100_000) });
    say({ type: 'seek', positionMs: START + 77_760 });
    await waitFor('the last place', () => placeOf(pictures().at(-1) as Arrival) === START + 77_760);
    // A place is shown by some fifty pictures from its key frame on.
    expect(pictures().length - before).toBeLessThan(40 * 50);
    for (let number = 0; number < 40_000; number++) say({ type: 'seek', positionMs: START + number });
    await waitFor('the end', () => closed.length === 1);
    expect(closed).toEqual([1008]);
    expect(events().at(-1)).toMatchObject({ type: 'error', code: 'too-many-messages' });
  });

  it('ends at once when the socket asks for nonsense, for too much, or for what its link does not open', async () => {
    const { credential: live } = await recorded.link(['live']);
    const { credential: first } = await recorded.link(['playback'], 1);
    const cases = [
      { viewer: open(1, { spbtime: 'noon' }), code: 'bad-request' },
      { viewer: open(0), code: 'bad-request' },
      { viewer: open(1, { credential: 'wrong' }), code: 'link-refused' },
      { viewer: open(1, { credential: live }), code: 'link-refused' },
      { viewer: open(2, { credential: first }), code: 'link-refused' },
      { viewer: open(1, { deviceid: 'OTHER' }), code: 'link-refused' },
    ];
    for (const { viewer, code } of cases) {
      await waitFor('the end', () => viewer.closed.length === 1);
      expect(viewer.closed).toEqual([1008]);
      expect(viewer.events()).toMatchObject([{ type: 'error', code }]);
    }
  });

  it('ends within two seconds when the link is revoked, and only that link’s', async () => {
    streams++;
    const { id, credential: other } = await recorded.link(['playback']);
    const revoked = open(1, { credential: other });
    const kept = open(1);
    await waitFor('both play', () => revoked.pictures().length > 0 && kept.pictures().length > 0);
    await within(2_500, async () => {
      await recorded.gateway.stores.linkCredentials.revoke(id, wallMs(Date.now()));
      await waitFor('the end', () => revoked.closed.length === 1);
    });
    expect(revoked.events().at(-1)).toMatchObject({ type: 'error', code: 'link-refused' });
    expect(kept.closed).toEqual([]);
  });

  it('finds position and speed as they were after a broken connection', async () => {
    streams++;
    const before = open(1);
    await waitFor('it plays', () => before.pictures().length > 0);
    before.say({ type: 'seek', positionMs: START + 50_000 });
    before.say({ type: 'speed', speed: 2 });
    await waitFor('the speed', () => before.events().some((event) => event.type === 'clock' && event.speed === 2));
    before.socket.terminate();
    const again = open(1);
    await waitFor('the clock', () => again.events().length > 0);
    const [clock] = again.events();
    expect(clock).toMatchObject({ type: 'clock', speed: 2, paused: false });
    expect(clock?.type === 'clock' && clock.positionMs - START).toBeGreaterThanOrEqual(50_000);
    expect(clock?.type === 'clock' && clock.positionMs - START).toBeLessThan(60_000);
  });
});
