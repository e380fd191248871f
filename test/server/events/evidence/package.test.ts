// What is kept of an event as members get it, and a package as other programs check it.
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { canCheckPackages, checkPackage, unpackPackage } from '../../../support/evidencePackage.ts';
import { jpegBytes } from '../../../support/media/jpegBytes.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { PROFILE } from '../../device/testGateway.ts';
import { type EvidenceScene, type Fetch, heard, PLACE, startEvidenceScene } from './evidenceScene.ts';

const PICTURE = jpegBytes(5_000);

/** An event with one picture. */
async function startEvent(): Promise<{ readonly scene: EvidenceScene; readonly eventId: number }> {
  const scene = await startEvidenceScene();
  const terminal = await scene.signIn();
  const { eventId } = await scene.alarm(terminal);
  const position = { ...PLACE, time: wallMs(Date.now()) };
  const what = { mediaId: 7, type: 0, format: 0, event: 0, channel: 1 };
  terminal.say({ kind: 'mediaUpload', ...what, position, data: PICTURE });
  await waitFor('the picture is stored', () => heard(terminal, 'mediaUploadReply').length > 0);
  await waitFor('the position is stored', () => scene.gateway.stores.positions.latest(PROFILE.deviceId));
  return { scene, eventId };
}

async function act(member: Fetch, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await member('/api/event/act', { method: 'POST', headers, body: JSON.stringify(body) });
  expect(await answer.json()).toMatchObject({ data: { refused: [] } });
}

describe('pictures and files of an event', () => {
  it('are seen by members who see the device and may work with events, whole or in parts', async () => {
    const { scene, eventId } = await startEvent();
    const ann = await scene.member('ann', ['event'], true);
    const list = (await (await ann(`/api/event/events/${eventId}/media`)).json()).data;
    const picture = list.find(({ kind }: { kind: string }) => kind === 'snapshot');
    expect(picture).toMatchObject({ state: 'stored', contentType: 'image/jpeg', bytes: PICTURE.length, channel: 1 });
    const path = `/api/event/media/${picture.id}`;
    const whole = await ann(path);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-disposition': `inline; filename="event-file-${picture.id}.jpg"`,
      etag: `"${picture.sha256}"`,
    });
    expect(Buffer.compare(Buffer.from(await whole.arrayBuffer()), PICTURE)).toBe(0);
    const part = await ann(path, { headers: { range: 'bytes=10-19' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${PICTURE.length}`]);
    expect(Buffer.compare(Buffer.from(await part.arrayBuffer()), PICTURE.subarray(10, 20))).toBe(0);
    expect((await ann(path, { headers: { range: 'bytes=99999-' } })).status).toBe(416);
    const others: readonly [Fetch, number][] = [
      [await scene.member('bob', ['event', 'evidence'], false), 404],
      [await scene.member('eve', ['evidence'], true), 403],
    ];
    for (const [member, status] of others) {
      expect((await member(path)).status).toBe(status);
      expect((await member(`/api/event/events/${eventId}/media`)).status).toBe(status);
      const asked = await member(`/api/event/events/${eventId}/package`, { method: 'POST' });
      expect(asked.status).toBe(status);
    }
    expect((await ann('/api/event/media/99999')).status).toBe(404);
    expect((await ann(`/api/event/events/${eventId}/package`, { method: 'POST' })).status).toBe(403);
  });
});

describe('downloads of evidence packages', () => {
  it('leave places to others, and give theirs back where they are broken off', async () => {
    const { scene, eventId } = await startEvent();
    // More than the buffers of a connection take.
    const bytes = 32 * 1024 * 1024;
    const fileId = 'ab'.repeat(16);
    await mkdir(join(scene.folder, 'evidence', 'ab'), { recursive: true });
    await writeFile(join(scene.folder, 'evidence', 'ab', fileId), Buffer.alloc(bytes));
    const [picture] = await scene.media(eventId);
    if (picture === undefined) throw new Error('no picture');
    const file = { fileId, bytes, contentType: 'application/octet-stream', sha256: '' };
    await scene.gateway.stores.eventMedia.add([{ ...picture, kind: 'attachment', name: 'a.bin', file, bytes }], 4);
    const [ann, bob] = [
      await scene.member('ann', ['event', 'evidence'], true),
      await scene.member('bob', ['event', 'evidence'], true),
    ];
    const download = async (member: Fetch, init: RequestInit = {}): Promise<Response> => {
      const { data } = await (await member(`/api/event/events/${eventId}/package`, { method: 'POST' })).json();
      return member(data.address, init);
    };
    const abort = new AbortController();
    const { signal } = abort;
    const running = [await download(ann, { signal }), await download(ann, { signal })];
    expect(running.map(({ status }) => status)).toEqual([200, 200]);
    expect((await download(ann)).status).toBe(429);
    const others = await download(bob);
    expect(others.status).toBe(200);
    await others.body?.cancel();
    abort.abort();
    await waitFor('a place is free', async () => {
      const again = await download(ann);
      await again.body?.cancel();
      return again.status === 200;
    });
  });
});

describe.skipIf(!canCheckPackages())('an evidence package', () => {
  it('is whole and signed, as other programs find', async () => {
    const { scene, eventId } = await startEvent();
    const ann = await scene.member('ann', ['event', 'evidence'], true);
    await act(ann, { act: 'acknowledge', events: [{ id: eventId, version: 1 }] });
    await act(ann, { act: 'assign', assignee: 'ann', events: [{ id: eventId, version: 2 }] });
    const { data } = await (await ann(`/api/event/events/${eventId}/package`, { method: 'POST' })).json();
    const downloaded = await ann(data.address);
    expect(downloaded.headers.get('content-type')).toBe('application/zip');
    const folder = await createTempFolder();
    onTestFinished(folder.remove);
    await writeFile(join(folder.path, 'a.zip'), Buffer.from(await downloaded.arrayBuffer()));
    const cwd = join(folder.path, 'a');
    await unpackPackage(join(folder.path, 'a.zip'), cwd);
    const [hashes, signature] = await checkPackage(cwd);
    const [media] = (await scene.media(eventId)).filter(({ kind }) => kind === 'snapshot');
    expect(hashes.output.trim().split('\n')).toEqual([
      'event.json: OK',
      'track.gpx: OK',
      `snapshots/${media?.id}.jpg: OK`,
      'evidence-key.pub: OK',
    ]);
    expect([hashes.isPassed, signature.isPassed, signature.output]).toEqual([
      true,
      true,
      'Signature Verified Successfully\n',
    ]);
    const event = JSON.parse(await readFile(join(cwd, 'event.json'), 'utf8'));
    expect(event).toMatchObject({ id: eventId, type: 'emergency', device: { deviceid: 'BUS1' }, rule: 0 });
    expect(event).toMatchObject({ status: 'in-progress', assignee: 'ann', endLatitude: 25.034, endSpeedKmh: 50 });
    expect(event.lastSeen).toMatch(/^20\d\d-/);
    expect(event.steps).toMatchObject([
      { act: 'acknowledge', from: 'new', to: 'acknowledged', user: 'ann' },
      { act: 'assign', assignee: 'ann' },
    ]);
    // Nothing was recorded, and the package says so.
    expect(event.missing).toMatchObject([{ kind: 'clip', channel: 0, name: '', state: 'failed' }]);
    expect(await readFile(join(cwd, 'track.gpx'), 'utf8')).toContain('lat="25.034"');
    expect((await ann(data.address)).status).toBe(404);
    const [audited] = await scene.gateway.stores.audit.list({ limit: 1 });
    expect(audited).toMatchObject({ action: 'event.package', actor: 'ann', target: 'BUS1' });

    expect((await stat(join(scene.folder, 'evidence.key'))).mode & 0o777).toBe(0o600);
  });
});
