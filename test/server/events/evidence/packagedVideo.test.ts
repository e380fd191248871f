// The recording around an event, as its evidence package has it.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSessions } from '../../../../server/auth/sessions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { loadDemoClips } from '../../../../simulator/clip/loadClip.ts';
import {
  RECORDED_DEVICE,
  RECORDED_OWNER,
  type RecordedGateway,
  startRecordedGateway,
} from '../../../support/gateway/recordedGateway.ts';
import { findFfmpeg } from '../../../support/media/ffmpeg.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { anEvent } from '../../store/events/anEvent.ts';

const run = promisify(execFile);
const START = Date.UTC(2026, 2, 1, 14);
const EVENT_AT = START + 30_000;
const ffmpeg = findFfmpeg();

describe('an evidence package of an event with video', () => {
  let recorded: RecordedGateway;
  let headers: Readonly<Record<string, string>>;

  beforeAll(async () => {
    recorded = await startRecordedGateway(['event', 'evidence']);
    const { stores } = recorded.gateway;
    const sessions = createSessions({ ...stores, now: () => wallMs(Date.now()), onLimit: () => undefined });
    const owner = await stores.users.findByName(RECORDED_OWNER);
    if (owner === undefined) throw new Error('no user');
    const { id } = await sessions.begin(owner, { address: '127.0.0.1', userAgent: 'test' }, false);
    headers = { cookie: `fleetglass_sid=${id}`, origin: recorded.gateway.address };
    const clips = await loadDemoClips();
    const whole = [{ fromMs: START, toMs: START + 120_000 }];
    await recorded.record({ channel: 1, clip: clips.road, spans: whole, withSound: true });
    // It broke off and came back while the event lasted.
    const gap = { fromMs: EVENT_AT + 5_000, toMs: EVENT_AT + 8_000 };
    const spans = [
      { fromMs: START, toMs: gap.fromMs },
      { fromMs: gap.toMs, toMs: START + 120_000 },
    ];
    await recorded.record({ channel: 2, clip: clips.cabin, spans });
    await recorded.record({ channel: 3, clip: clips.cabin, spans: [{ fromMs: START, toMs: START + 10_000 }] });
  });
  afterAll(() => recorded.close());

  async function addEvent(beginAtMs: number): Promise<number> {
    const { stores } = recorded.gateway;
    const archive = (await stores.fleet.archives()).find(({ deviceId }) => deviceId === RECORDED_DEVICE);
    const times = { beginAtMs, deviceTimeMs: beginAtMs, lastSeenAtMs: beginAtMs, endAtMs: beginAtMs + 1_000 };
    const event = anEvent({ ...times, archiveNumber: archive?.archiveNumber ?? 0, type: 'emergency' });
    const [id = 0] = await stores.eventLog.write({ added: [event], changed: [], days: [] });
    return id;
  }

  /** The package's folder, its hashes checked by another program, and what it says of the event. */
  async function unpack(eventId: number) {
    const { address } = recorded.gateway;
    const asked = await fetch(`${address}/api/event/events/${eventId}/package`, { method: 'POST', headers });
    const { data } = (await asked.json()) as { data: { address: string } };
    const download = await fetch(`${address}${data.address}`, { headers });
    const folder = await createTempFolder();
    onTestFinished(folder.remove);
    await writeFile(join(folder.path, 'a.zip'), Buffer.from(await download.arrayBuffer()));
    const cwd = join(folder.path, 'a');
    await run('python3', ['-m', 'zipfile', '-e', 'a.zip', 'a'], { cwd: folder.path });
    const { stdout } = await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd });
    const event = JSON.parse(await readFile(join(cwd, 'event.json'), 'utf8')) as { missing: unknown; video: unknown };
    return { cwd, event, videos: stdout.match(/^video\/.*(?=: OK$)/gm) ?? [] };
  }

  async function probe(file: string) {
    const entries = 'format=duration:stream=codec_name';
    const { stdout } = await run(ffmpeg?.ffprobePath ?? '', [
      '-v',
      'error',
      '-show_entries',
      entries,
      '-of',
      'json',
      file,
    ]);
    const { streams, format } = JSON.parse(stdout) as { streams: object[]; format: { duration: string } };
    return { streams, seconds: Number(format.duration) };
  }

  it('has a film of each channel that was recorded then, hashed as the rest, which other programs play', async () => {
    const { cwd, event, videos } = await unpack(await addEvent(EVENT_AT));
    const missing = { kind: 'clip', name: '', state: 'failed' };
    const [from, to] = ['2026-03-01T14:00:20.000Z', '2026-03-01T14:00:50.000Z'];
    expect(event.missing).toEqual([
      { ...missing, channel: 2, from: expect.stringContaining('14:00:3'), to: '2026-03-01T14:00:38.000Z' },
      { ...missing, channel: 3, from, to },
      { ...missing, channel: 4, from, to },
    ]);
    // From ten seconds before the event to twenty after it.
    expect(videos).toEqual(['video/BUS1_ch1_20260301T140020Z.mp4', 'video/BUS1_ch2_20260301T140020Z.mp4']);
    const sound = { recorded: 'G.711 A-law', stored: 'AAC', encoded: true };
    expect(event.video).toEqual([
      { name: videos[0], channel: 1, sound },
      { name: videos[1], channel: 2, sound: null },
    ]);
    for (const name of videos) {
      const file = await readFile(join(cwd, name));
      expect(file.subarray(4, 8).toString()).toBe('ftyp');
      const probed = ffmpeg && (await probe(join(cwd, name)));
      // Without ffmpeg the beginning has to do.
      const streams = name === videos[0] ? [{ codec_name: 'h264' }, { codec_name: 'aac' }] : [{ codec_name: 'h264' }];
      if (probed !== undefined) expect(probed).toEqual({ streams, seconds: 30 });
    }
  });

  it('says that there is none where nothing was recorded then', async () => {
    const { event, videos } = await unpack(await addEvent(START + 3_600_000));
    expect(videos).toEqual([]);
    expect(event.missing).toMatchObject([{ kind: 'clip', channel: 0, name: '', state: 'failed' }]);
  });
});
