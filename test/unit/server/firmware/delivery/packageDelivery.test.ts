import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { decodeBody } from '../../../../../server/device/jt808/codec/message.ts';
import type { LongMessage, PackagesResult } from '../../../../../server/device/jt808/packages/longMessage.ts';
import { createDelivery } from '../../../../../server/firmware/delivery/createDelivery.ts';
import type { DeliveryRequest } from '../../../../../server/firmware/delivery/delivery.ts';
import { readImage } from '../../../../../simulator/firmware/imagePackages.ts';
import { createTempFolder } from '../../../../support/tempFolder.ts';
import { IMAGE, MODEL, requestOf } from './deliveryScene.ts';

const DATA = Buffer.from(Array.from({ length: 3_000 }, (_, at) => at & 0xff));

interface Delivered {
  readonly model?: Partial<DeliveryRequest['model']>;
  readonly image?: Partial<DeliveryRequest['image']>;
  readonly result?: PackagesResult;
}

async function deliver({ model, image, result = { ok: true } }: Delivered = {}) {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'image');
  await writeFile(file, DATA);
  let body: Uint8Array | undefined;
  let sent: LongMessage | undefined;
  const { request, progress } = requestOf(
    {
      sendPackages: async (message: LongMessage) => {
        const { source } = message;
        sent = message;
        const whole = Buffer.alloc(source.bytes);
        expect(await source.read(0, whole.subarray(0, 10))).toBe(10);
        body = whole.subarray(0, 10 + (await source.read(10, whole.subarray(10))));
        message.onProgress?.(0);
        message.onProgress?.(1);
        message.onProgress?.(3);
        return result;
      },
    },
    {
      image: { ...IMAGE, file, bytes: DATA.length, ...image },
      model: { ...MODEL, method: 'packages', ...model },
    },
  );
  const none = { open: () => undefined };
  const timing = { now: () => 0, runAfter: () => () => undefined };
  const delivery = createDelivery({ links: none, ftpLogins: none, ...timing });
  const outcome = await delivery.deliver(request);
  const laterBytes = async (offset: number, bytes: number): Promise<Uint8Array> => {
    const into = Buffer.alloc(bytes);
    await sent?.source.read(offset, into);
    return into;
  };
  return { outcome, body: () => body ?? new Uint8Array(0), progress, message: () => sent, laterBytes };
}

describe('an image in packages', () => {
  it('is the head and the file', async () => {
    const { outcome, body, progress } = await deliver();
    expect(outcome).toEqual({ ok: true });
    expect(decodeBody(0x8108, '2019', body())).toMatchObject({
      ok: true,
      body: { type: 0, manufacturer: 'FLGLS', version: '2.0', data: DATA },
    });
    // The head of 14 bytes is in the first package.
    expect(progress).toEqual([0, 1_023 - 14, 3_000]);
  });

  it('has eleven bytes for the manufacturer where the model takes them', async () => {
    const { body } = await deliver({
      model: { manufacturerBytes: 11 },
      image: { vendor: 'FLEETGLASS1', partCode: 52 },
    });
    expect(readImage(body(), 11)).toEqual({ type: 52, version: '2.0', data: DATA });
    expect(readImage(body(), 5)).toBeUndefined();
  });

  it('is read again for a terminal that asks for packages once it was delivered', async () => {
    const { laterBytes } = await deliver();
    expect(await laterBytes(14, 3_000)).toEqual(DATA);
  });

  it.each([
    [undefined, undefined],
    [0, undefined],
    [80, 80],
  ])('goes out at the interval of its model: %s', async (packageIntervalMs, intervalMs) => {
    const { message } = await deliver({ model: packageIntervalMs === undefined ? {} : { packageIntervalMs } });
    expect(message()?.intervalMs).toBe(intervalMs);
  });

  it('fails where the vendor does not fit', async () => {
    const { outcome } = await deliver({ image: { vendor: 'FLEETGLASS' } });
    expect(outcome).toMatchObject({ ok: false, fault: 'protocol-error', isPassing: false });
  });

  it('fails where the file cannot be opened', async () => {
    const { outcome } = await deliver({ image: { file: '/nowhere/image' } });
    expect(outcome).toMatchObject({ ok: false, fault: 'internal', isPassing: true });
  });

  it('gives fewer bytes where the file is shorter', async () => {
    const { body } = await deliver({ image: { bytes: 5_000 } });
    expect(body()).toHaveLength(3_014);
  });

  it.each([
    [{ reason: 'timeout' }, 'no-answer', true],
    [{ reason: 'closed' }, 'disconnected', true],
    [{ reason: 'aborted' }, 'aborted', true],
    [{ reason: 'busy' }, 'internal', true],
    [{ reason: 'refused', result: 1 }, 'refused', false],
    [{ reason: 'refused', result: 2 }, 'protocol-error', false],
    [{ reason: 'refused', result: 3 }, 'not-supported', false],
    [{ reason: 'too-many-repeats' }, 'protocol-error', false],
    [{ reason: 'too-long' }, 'protocol-error', false],
    [{ reason: 'source-short' }, 'image-damaged', false],
    [{ reason: 'source-failed' }, 'internal', true],
  ] as const)('fails as its packages do: %o', async (failure, fault, isPassing) => {
    const { outcome } = await deliver({ result: { ok: false, ...failure } });
    expect(outcome).toMatchObject({ ok: false, fault, isPassing });
  });
});
