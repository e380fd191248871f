// An image over the signalling connection (0x8108).
import { type FileHandle, open } from 'node:fs/promises';
import { MessageId } from '../../device/jt808/codec/codes.ts';
import { MAX_BODY_BYTES } from '../../device/jt808/codec/header.ts';
import { encodeUpgradeHead } from '../../device/jt808/codec/messages/terminal.ts';
import { type PackageSource, withHead } from '../../device/jt808/packages/packageSource.ts';
import type { DeliveryOutcome, DeliveryRequest } from './delivery.ts';
import { lasting, ofPackages, passing } from './faults.ts';

export async function deliverInPackages(request: DeliveryRequest): Promise<DeliveryOutcome> {
  const head = headOf(request);
  if (head === undefined) return lasting('protocol-error', 'vendor or version is too long for the message');
  const source = new ImageSource(request.image);
  try {
    await source.open();
  } catch {
    return passing('internal', 'the file could not be opened');
  }
  try {
    return await send(request, withHead(head, source));
  } finally {
    await source.close();
  }
}

/** Undefined where a value doesn't fit its field. */
function headOf({ session, image, model }: DeliveryRequest): Uint8Array | undefined {
  const head = {
    type: image.partCode,
    manufacturer: image.vendor,
    version: image.firmwareVersion,
    dataBytes: image.bytes,
    manufacturerBytes: model.manufacturerBytes,
  };
  try {
    return encodeUpgradeHead(head, session.edition);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The file is open while the image is delivered. A terminal that asks for packages later opens it for each read: it rarely does. */
class ImageSource implements PackageSource {
  readonly bytes: number;
  readonly #path: string;
  #file: FileHandle | undefined;

  constructor({ file, bytes }: DeliveryRequest['image']) {
    this.#path = file;
    this.bytes = bytes;
  }

  async open(): Promise<void> {
    this.#file = await open(this.#path);
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async read(offset: number, into: Uint8Array): Promise<number> {
    if (this.#file !== undefined) return readWhole(this.#file, offset, into);
    const file = await open(this.#path);
    try {
      return await readWhole(file, offset, into);
    } finally {
      await file.close();
    }
  }
}

async function readWhole(file: FileHandle, offset: number, into: Uint8Array): Promise<number> {
  let filled = 0;
  while (filled < into.length) {
    const { bytesRead } = await file.read(into, filled, into.length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

async function send(request: DeliveryRequest, source: PackageSource): Promise<DeliveryOutcome> {
  const { session, image, model, signal, onProgress, beforeEnd } = request;
  const headBytes = source.bytes - image.bytes;
  const result = await session.sendPackages({
    messageId: MessageId.upgradePackage,
    source,
    window: model.window,
    intervalMs: model.packageIntervalMs || undefined,
    signal,
    beforeEnd,
    onProgress: (packages) => {
      const bytes = packages * MAX_BODY_BYTES - headBytes;
      onProgress(Math.min(image.bytes, Math.max(0, bytes)));
    },
  });
  return result.ok ? result : ofPackages(result);
}
