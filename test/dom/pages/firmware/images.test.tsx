import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as uploads from '../../../../shared/api/uploads.ts';
import { FIRMWARE_IMAGES_PATH, FIRMWARE_MODELS_PATH } from '../../../../shared/protocol/api/firmware/images.ts';
import { UPLOAD_STATE_PATH } from '../../../../shared/protocol/api/uploads/uploads.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import { watchWarnings } from '../../../support/browser/renderPage.tsx';
import type { FakeGateway } from '../../../support/fakes/fakeGateway.ts';
import { aFirmwareImage, aFirmwareModel } from '../../../support/firmware/firmwareRecords.ts';
import { enter } from '../eventdefine/fakeEventDefine.ts';
import { openFirmware, rowOf, shown } from './fakeFirmware.tsx';

interface Running {
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
  readonly onBegun: (id: string) => void;
  readonly succeed: () => void;
  readonly fail: () => void;
  readonly failReading: () => void;
}

/** Uploads that go on as the test says. */
const begun: Running[] = [];

beforeEach(() => {
  begun.length = 0;
  const spy = vi.spyOn(uploads, 'uploadFile').mockImplementation(({ size }, purpose, options) => {
    const upload = {
      id: 'b'.repeat(32),
      purpose,
      bytes: size,
      sha256: '',
      receivedBytes: size,
      expiresAtMs: wallMs(0),
    };
    return new Promise((resolve, reject) => {
      begun.push({
        ...options,
        onBegun: (id) => options.onBegun?.(id),
        succeed: () => resolve(upload),
        fail: () => reject(new uploads.UploadFailed({ ok: false, kind: 'network', message: 'gone' })),
        failReading: () => reject(new uploads.FileUnreadable()),
      });
    });
  });
  onTestFinished(() => spy.mockRestore());
});

const running = () => begun.at(-1) ?? expect.fail('no upload');

async function addImage(user: UserEvent): Promise<void> {
  await user.click(await screen.findByText('Add image'));
  const file = new File([new Uint8Array(2_000)], 'mdvr.bin');
  await user.upload(await screen.findByLabelText('Select file'), file);
  await waitFor(() => running());
}

/** Ids of the uploads that the gateway was asked to drop. */
const droppedAt = (gateway: FakeGateway) =>
  gateway.callsOf(UPLOAD_STATE_PATH).map(({ method, query }) => `${method} ${query.get('id')?.slice(0, 1)}`);

describe('firmware images', () => {
  test('are listed with version, models, size and moment (S-2.4.7, S-9.11)', async () => {
    watchWarnings();
    await openFirmware({ query: 'tab=images' });
    await shown('MDVR autumn');
    const { textContent } = rowOf('MDVR autumn');
    for (const text of ['V2.4', 'MDVR-8*', '8.0 MB', '2026-11-23 08:00:00']) expect(textContent).toContain(text);
  });

  test('are added once their file is uploaded, which can be paused and resumed (S-1.5)', async () => {
    watchWarnings();
    const { gateway, user } = await openFirmware({ query: 'tab=images', images: [] });
    await screen.findByText('No images yet. Add the file that the manufacturer gave you.');
    await addImage(user);
    const first = running();
    first.onBegun('b'.repeat(32));
    first.onProgress(500);
    await screen.findByText('Uploading: 25% (500 B of 2.0 kB)');
    await user.click(screen.getByText('Pause upload'));
    expect(first.signal.aborted).toBe(true);
    await screen.findByText('Upload paused at 25% (500 B of 2.0 kB)');
    await enter(user, screen.getByLabelText(/^Name/), 'Winter');
    await enter(user, screen.getByLabelText(/^Version/), 'V3');
    await enter(user, screen.getByLabelText(/^Models/), 'MDVR-8*, MDVR-9');
    await user.click(screen.getByText('Save'));
    await screen.findByText('Select the image file, and wait until it is uploaded.');
    await user.click(screen.getByText('Resume upload'));
    await waitFor(() => expect(running()).not.toBe(first));
    running().succeed();
    await screen.findByText('Uploaded (2.0 kB)');
    await user.click(screen.getByText('Save'));
    expect(await noticeOf('Image saved.')).toBe('success');
    const [added] = gateway.callsOf(FIRMWARE_IMAGES_PATH).filter(({ method }) => method === 'POST');
    expect(added?.body).toMatchObject({
      name: 'Winter',
      firmwareVersion: 'V3',
      models: ['MDVR-8*', 'MDVR-9'],
      part: 'terminal',
      upload: 'b'.repeat(32),
    });
    // It is the image's now.
    expect(droppedAt(gateway)).toEqual([]);
  });

  test('say why an upload broke off; it is canceled, and ends with the dialog', async () => {
    watchWarnings();
    const { user } = await openFirmware({ query: 'tab=images' });
    await addImage(user);
    running().fail();
    await screen.findByText(/Can't reach the server/);
    await user.click(screen.getByText('Cancel upload'));
    expect(screen.queryByText('Resume upload')).toBeNull();
    await user.upload(screen.getByLabelText('Select file'), new File(['x'], 'other.bin'));
    const last = running();
    await user.click(screen.getByText('Cancel'));
    await waitFor(() => expect(last.signal.aborted).toBe(true));
  });

  test('say of a file that cannot be read to select it again', async () => {
    watchWarnings();
    const { user } = await openFirmware({ query: 'tab=images' });
    await addImage(user);
    running().failReading();
    await screen.findByText("The file can't be read. Select it again.");
    screen.getByText(/^Upload paused/);
  });

  test('drop an upload at the server when it is canceled, replaced, or left without a save; a pause keeps it', async () => {
    watchWarnings();
    const { gateway, user } = await openFirmware({ query: 'tab=images' });
    const select = (name: string) => user.upload(screen.getByLabelText('Select file'), new File(['x'], name));
    await addImage(user);
    running().onBegun('1'.repeat(32));
    await user.click(screen.getByText('Pause upload'));
    await user.click(screen.getByText('Resume upload'));
    expect(droppedAt(gateway)).toEqual([]);
    await user.click(screen.getByText('Cancel upload'));
    expect(droppedAt(gateway)).toEqual(['DELETE 1']);
    await select('second.bin');
    running().onBegun('2'.repeat(32));
    await select('third.bin');
    expect(droppedAt(gateway)).toEqual(['DELETE 1', 'DELETE 2']);
    const third = running();
    await user.click(screen.getByText('Cancel upload'));
    // The gateway had only just begun it.
    third.onBegun('3'.repeat(32));
    await select('fourth.bin');
    running().onBegun('4'.repeat(32));
    running().succeed();
    await screen.findByText(/^Uploaded/);
    await user.click(screen.getByText('Cancel'));
    await user.click(await screen.findByText('Leave'));
    await waitFor(() => expect(droppedAt(gateway)).toEqual(['DELETE 1', 'DELETE 2', 'DELETE 3', 'DELETE 4']));
  });

  test('keep what both members want when two change one', async () => {
    watchWarnings();
    const { images, user } = await openFirmware({ query: 'tab=images' });
    await shown('MDVR autumn');
    await user.click(screen.getByLabelText('Edit MDVR autumn'));
    await enter(user, await screen.findByLabelText(/^Name/), 'Mine');
    images.set(1, aFirmwareImage({ version: 2, notes: 'theirs' }));
    await user.click(screen.getByText('Save'));
    await screen.findByText('Another user changed this');
    await user.click(screen.getByText('Continue'));
    await user.click(screen.getByText('Save'));
    await waitFor(() => expect(images.get(1)).toMatchObject({ name: 'Mine', notes: 'theirs' }));
  });

  test('are not deleted while tasks need them', async () => {
    watchWarnings();
    const needed = aFirmwareImage({ id: 2, name: 'Needed', openTasks: 1 });
    const { images, user } = await openFirmware({ query: 'tab=images', images: [aFirmwareImage(), needed] });
    await shown('Needed');
    await user.click(within(rowOf('Needed')).getByLabelText(/^More actions for/));
    const refused = await screen.findByText('Needed is needed by tasks');
    expect(refused.closest('li')?.getAttribute('aria-disabled')).toBe('true');
    await user.keyboard('{Escape}');
    await user.click(within(rowOf('MDVR autumn')).getByLabelText(/^More actions for/));
    await user.click(await screen.findByText('Delete MDVR autumn'));
    await user.click(await screen.findByText('Delete'));
    await screen.findByText('Image deleted.');
    expect([...images.keys()]).toEqual([2]);
  });
});

describe('models of terminals', () => {
  test('have a method that is explained, with what belongs to it', async () => {
    watchWarnings();
    const { gateway, user } = await openFirmware({ query: 'tab=models' });
    await screen.findByText(/^No models yet/);
    await user.click(screen.getByText('Add model'));
    await enter(user, await screen.findByRole('textbox', { name: /^Model\b/ }), 'XK-*');
    screen.getByText(/Updates in packages start over after a lost connection\.$/);
    screen.getByLabelText(/^Packages in flight/);
    await user.selectOptions(screen.getByLabelText('Method'), 'text');
    screen.getByText(/text command, which names the address to download from/);
    expect(screen.queryByLabelText(/^Packages in flight/)).toBeNull();
    await enter(user, screen.getByLabelText(/^Command text/), 'UPGRADE');
    await user.click(screen.getByText('Save'));
    await screen.findByText('The text must contain {url}, where the terminal downloads the image.');
    await enter(user, screen.getByLabelText(/^Command text/), 'UPGRADE,{url}');
    await user.click(screen.getByText('Save'));
    await screen.findByText('Model saved.');
    const [added] = gateway.callsOf(FIRMWARE_MODELS_PATH).filter(({ method }) => method === 'POST');
    expect(added?.body).toEqual({
      pattern: 'XK-*',
      method: 'text',
      manufacturerBytes: 5,
      window: 8,
      packageIntervalMs: 0,
      template: 'UPGRADE,{url}',
      passthroughType: 0,
    });
  });

  test('are changed and deleted', async () => {
    watchWarnings();
    const { models, user } = await openFirmware({ query: 'tab=models', models: [aFirmwareModel()] });
    await shown('MDVR-8*');
    expect(rowOf('MDVR-8*').textContent).toContain('Packages (0x8108)');
    await user.click(screen.getByLabelText('Edit MDVR-8*'));
    await user.selectOptions(await screen.findByLabelText('Manufacturer ID length'), '11');
    await user.selectOptions(screen.getByLabelText('Pacing'), 'time');
    expect(screen.queryByLabelText(/^Packages in flight/)).toBeNull();
    await enter(user, screen.getByLabelText(/^Interval/), '2');
    await user.click(screen.getByText('Save'));
    await screen.findByText(/5.*5,?000/);
    await enter(user, screen.getByLabelText(/^Interval/), '80');
    await user.click(screen.getByText('Save'));
    await waitFor(() =>
      expect(models.get(1)).toMatchObject({ manufacturerBytes: 11, window: 8, packageIntervalMs: 80 }),
    );
    await user.click(within(rowOf('MDVR-8*')).getByLabelText(/^More actions for/));
    await user.click(await screen.findByText('Delete MDVR-8*'));
    await user.click(await screen.findByText('Delete'));
    await screen.findByText('Model deleted.');
    expect(models.size).toBe(0);
  });
});
