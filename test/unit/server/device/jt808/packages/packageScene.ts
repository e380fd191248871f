// A sender of packages whose terminal is the test.
import type { PartBody } from '../../../../../../server/device/jt808/codec/message.ts';
import type { LongMessage, PackagesResult } from '../../../../../../server/device/jt808/packages/longMessage.ts';
import { PackageSender } from '../../../../../../server/device/jt808/packages/packageSender.ts';
import { type PackageSource, packagesOf } from '../../../../../../server/device/jt808/packages/packageSource.ts';
import { ManualTimers } from '../../../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../../../support/fakes/noFaults.ts';

export const UPGRADE = 0x8108;

export function bytesOf(length: number, seed = 1): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (at * 31 + seed + (at >> 8)) & 0xff);
}

export function sourceOf(bytes: Uint8Array): PackageSource {
  const read = async (offset: number, into: Uint8Array): Promise<number> => {
    const part = bytes.subarray(offset, offset + into.length);
    into.set(part);
    return part.length;
  };
  return { bytes: bytes.length, read };
}

interface SceneOptions {
  readonly source: PackageSource;
  readonly window?: number;
  readonly firstSerial?: number;
  readonly intervalMs?: number;
  readonly beforeEnd?: () => Promise<boolean>;
}

export interface SentPackage {
  readonly serial: number;
  readonly body: PartBody;
}

export function openSender({ source, window = 8, firstSerial = 0, intervalMs, beforeEnd }: SceneOptions) {
  const timers = new ManualTimers();
  const sent: SentPackage[] = [];
  const limits: string[] = [];
  const progress: number[] = [];
  const faults: Error[] = [];
  const aborting = new AbortController();
  const socket = { isClosed: false, isFull: false, drained: (): void => undefined };
  const message: LongMessage = {
    messageId: UPGRADE,
    source,
    window,
    intervalMs,
    signal: aborting.signal,
    beforeEnd,
    onProgress: (packages) => void progress.push(packages),
  };
  const sender = new PackageSender(
    message,
    { total: packagesOf(source.bytes), firstSerial },
    {
      outbox: {
        sendPackage: (body, serial) => {
          if (socket.isClosed) return undefined;
          // The sender reads the next block into the same bytes.
          sent.push({ serial, body: { ...body, bytes: body.bytes.slice() } });
          return body.bytes.length;
        },
        onDrained: (run) => {
          if (!socket.isFull) return undefined;
          socket.drained = run;
          return () => {
            socket.drained = () => undefined;
          };
        },
      },
      runAfter: timers.runAfter,
      onLimit: ({ name }) => void limits.push(name),
      onFault: (error) => void faults.push(error),
    },
  );
  let result: PackagesResult | undefined;
  sender.result.then((settled) => {
    result = settled;
  }, noFaults);
  return {
    timers,
    sender,
    aborting,
    socket,
    limits,
    progress,
    faults,
    result: () => result,
    /** What went out since the last call. */
    takeSent: (): SentPackage[] => sent.splice(0),
    acknowledge: (serial: number, code = 0): void => sender.answer(serial & 0xffff, UPGRADE, code),
  };
}

export type PackageScene = ReturnType<typeof openSender>;

export const numbersOf = (packages: readonly SentPackage[]): number[] => packages.map(({ body }) => body.part.number);
