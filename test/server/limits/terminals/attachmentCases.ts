// How the limits of connections are reached on which terminals upload the files of alarms.
import { expect } from 'vitest';
import { AlarmConnections, STALE_MS } from '../../../../server/device/attachments/alarmConnections.ts';
import {
  ATTACHMENT_CONNECTIONS,
  DEVICE_UPLOADS_LIMIT,
  DURATION_LIMIT,
  FILE_BYTES_LIMIT,
  FILES_LIMIT,
  FIRST_BYTES_LIMIT,
  FIRST_LIST_LIMIT,
  LIST_BYTES_LIMIT,
  PROGRESS_BYTES,
  PROGRESS_LIMIT,
  RANGES_LIMIT,
  SURPLUS_BYTES_LIMIT,
  UPLOADS_LIMIT,
} from '../../../../server/device/attachments/attachmentLimits.ts';
import { AttachmentSession } from '../../../../server/device/attachments/attachmentSession.ts';
import type { AnnouncedFile } from '../../../../server/device/attachments/attachmentSink.ts';
import { openReception } from '../../../../server/device/attachments/fileReception.ts';
import { ReceivedRanges } from '../../../../server/device/attachments/receivedRanges.ts';
import { encodeBlock } from '../../../../server/device/jt808/codec/attachmentStream.ts';
import { GeneralResult } from '../../../../server/device/jt808/codec/codes.ts';
import type { TerminalSession } from '../../../../server/device/terminalSession.ts';
import { GroupPlaces } from '../../../../server/limits/groupPlaces.ts';
import { KeyedCount } from '../../../../server/limits/keyedCount.ts';
import type { Limit, OnLimit } from '../../../../server/limits/limit.ts';
import { ONE_OWNER } from '../../../support/fakes/deviceOwners.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { FakeTerminal, NUMBER, settled } from '../../../unit/server/device/jt808/fakeTerminal.ts';
import { MARK } from '../../../unit/server/events/signals/safety.ts';
import type { LimitCase } from '../describeLimits.ts';
import { connectionCasesOf } from './terminalConnections.ts';
import { failNever } from './terminalScene.ts';

const OTHERS_BLOCK_HEAD_BYTES = encodeBlock({ name: 'b', offset: 0, data: new Uint8Array(0) }).length;

/** A port whose terminals upload under numbers of the form `device/anything`; all files are taken. */
export function openPort(onLimit: OnLimit, owners = ONE_OWNER) {
  const timers = new ManualTimers();
  const busy: string[] = [];
  const uploads = new GroupPlaces({ limit: UPLOADS_LIMIT, onLimit, groups: () => owners.count });
  const deviceUploads = new KeyedCount(DEVICE_UPLOADS_LIMIT, onLimit);
  const connections = new AlarmConnections();
  const sink = {
    find: (alarmNumber: string) => {
      const [deviceId = ''] = alarmNumber.split('/');
      return deviceId === '' ? undefined : { alarmNumber, deviceId, archiveNumber: 1 };
    },
    busy: ({ alarmNumber }: { readonly alarmNumber: string }) => void busy.push(alarmNumber),
    begin: async () => ({ open: async () => undefined, end: async () => undefined }),
  };
  const session = { archiveNumber: 1, terminal: NUMBER, relaxedMediaAddress: false, remoteAddress: '10.0.0.7' };
  const dial = (): Connection => {
    const terminal = new FakeTerminal();
    new AttachmentSession(terminal.socket.asSocket(), {
      connections,
      ...{
        sink,
        uploads,
        deviceUploads,
        owners,
        onLimit,
        now: timers.now,
        runAfter: timers.runAfter,
        onFault: failNever,
      },
      sessionOf: () => session as TerminalSession,
      onProved: () => undefined,
    });
    return new Connection(terminal);
  };
  return { timers, dial, busy };
}

class Connection {
  readonly #terminal: FakeTerminal;
  sentBytes = 0;

  constructor(terminal: FakeTerminal) {
    this.#terminal = terminal;
    terminal.socket.on('data', (chunk: Uint8Array) => {
      this.sentBytes += chunk.byteLength;
    });
  }

  get isCut(): boolean {
    return this.#terminal.socket.destroyed;
  }

  /** Sends the list, and gives its result. */
  async list(alarmNumber: string, files: readonly AnnouncedFile[]): Promise<number | undefined> {
    const named = files.map(({ name, sizeBytes }) => ({ name, sizeBytes }));
    await this.#terminal.say({
      kind: 'attachmentList',
      terminalId: 'T1',
      mark: MARK,
      alarmNumber,
      uploadType: 0,
      files: named,
    });
    const replies = this.#terminal.heardBodies();
    return replies.flatMap((body) => (body.kind === 'platformGeneralReply' ? [body.result] : [])).at(-1);
  }

  /** Sends blocks of another file, which are left out: this many bytes in all. */
  async send(bytes: number): Promise<void> {
    for (let left = bytes; left > 0; ) {
      const size = Math.min(left, 60_000);
      const block = encodeBlock({ name: 'b', offset: 0, data: new Uint8Array(60_000 - OTHERS_BLOCK_HEAD_BYTES) });
      this.#terminal.socket.emit('data', block.subarray(0, size));
      left -= size;
      await settled();
    }
  }

  close(): void {
    this.#terminal.socket.destroy();
  }
}

const SMALL = [{ name: 'a', sizeBytes: 100 }] as const;
const filesOf = (count: number, sizeBytes: number): AnnouncedFile[] =>
  Array.from({ length: count }, (_, at) => ({ name: `${at}`, sizeBytes }));

const firstListCase: LimitCase = {
  limit: FIRST_LIST_LIMIT,
  open: (onLimit) => {
    const { timers, dial } = openPort(onLimit);
    const [silent, listed] = [dial(), dial()];
    return {
      upTo: async () => {
        expect(await listed.list('BUS1/1', SMALL)).toBe(GeneralResult.Ok);
        timers.advance(FIRST_LIST_LIMIT.max - 1);
        expect(silent.isCut).toBe(false);
      },
      beyond: () => {
        timers.advance(1);
        expect([silent.isCut, listed.isCut]).toEqual([true, false]);
      },
    };
  },
};

const firstBytesCase: LimitCase = {
  limit: FIRST_BYTES_LIMIT,
  open: (onLimit) => {
    const connection = openPort(onLimit).dial();
    const nobodys = () => connection.list('', SMALL);
    return {
      upTo: async () => {
        await nobodys();
        const listBytes = connection.sentBytes;
        while (connection.sentBytes + listBytes <= FIRST_BYTES_LIMIT.max) {
          expect(await nobodys()).toBe(GeneralResult.Failed);
        }
        expect(connection.isCut).toBe(false);
      },
      beyond: async () => {
        await nobodys();
        expect(connection.isCut).toBe(true);
      },
    };
  },
};

const progressCase: LimitCase = {
  limit: PROGRESS_LIMIT,
  open: (onLimit) => {
    const { timers, dial } = openPort(onLimit);
    const [busy, slow] = [dial(), dial()];
    return {
      upTo: async () => {
        await busy.list('BUS1/1', SMALL);
        await slow.list('BUS1/2', SMALL);
        for (const each of [busy, slow]) await each.send(PROGRESS_BYTES);
        timers.advance(PROGRESS_LIMIT.max);
        await busy.send(PROGRESS_BYTES);
        await slow.send(PROGRESS_BYTES - 1);
        timers.advance(PROGRESS_LIMIT.max - 1);
        expect(slow.isCut).toBe(false);
      },
      beyond: () => {
        timers.advance(1);
        expect([busy.isCut, slow.isCut]).toEqual([false, true]);
      },
    };
  },
};

const durationCase: LimitCase = {
  limit: DURATION_LIMIT,
  open: (onLimit) => {
    const { timers, dial } = openPort(onLimit);
    const connection = dial();
    return {
      upTo: async () => {
        await connection.list('BUS1/1', SMALL);
        for (let passedMs = 0; passedMs < DURATION_LIMIT.max; passedMs += PROGRESS_LIMIT.max) {
          await connection.send(PROGRESS_BYTES);
          timers.advance(Math.min(PROGRESS_LIMIT.max, DURATION_LIMIT.max - 1 - passedMs));
        }
        expect(connection.isCut).toBe(false);
      },
      beyond: () => {
        timers.advance(1);
        expect(connection.isCut).toBe(true);
      },
    };
  },
};

const surplusCase: LimitCase = {
  limit: SURPLUS_BYTES_LIMIT,
  open: (onLimit) => {
    const connection = openPort(onLimit).dial();
    return {
      upTo: async () => {
        await connection.list('BUS1/1', SMALL);
        await connection.send(SURPLUS_BYTES_LIMIT.max + 2 * 100 - connection.sentBytes);
        expect(connection.isCut).toBe(false);
      },
      beyond: async () => {
        await connection.send(1);
        expect(connection.isCut).toBe(true);
      },
    };
  },
};

/** A list that is as long as allowed, and one that is longer. */
function listCase(limit: Limit, most: readonly AnnouncedFile[], more: readonly AnnouncedFile[]): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const { dial } = openPort(onLimit);
      return {
        upTo: async () => expect(await dial().list('BUS1/1', most)).toBe(GeneralResult.Ok),
        beyond: async () => expect(await dial().list('BUS1/2', more)).toBe(GeneralResult.Failed),
      };
    },
  };
}

const rangesCase: LimitCase = {
  limit: RANGES_LIMIT,
  open: (onLimit) => {
    const written: number[] = [];
    const write = async (offset: number) => written.push(offset) > 0;
    const sizeBytes = 3 * RANGES_LIMIT.max;
    const received = new ReceivedRanges(sizeBytes, RANGES_LIMIT.max);
    const sink = { received, write, finish: async () => true, setAside: async () => undefined };
    const file = openReception({ name: 'a', sizeBytes }, sink, onLimit);
    const take = (offset: number) => file.take({ name: 'a', offset, data: new Uint8Array(1) });
    return {
      upTo: async () => {
        for (let at = 0; at < RANGES_LIMIT.max; at++) await take(2 * at);
        expect(written).toHaveLength(RANGES_LIMIT.max);
      },
      beyond: async () => {
        await take(2 * RANGES_LIMIT.max);
        expect(written).toHaveLength(RANGES_LIMIT.max);
        // A block that touches others takes no more memory.
        await take(1);
        expect(written.at(-1)).toBe(1);
        expect(file.missing(1)).toEqual([{ offset: 3, lengthBytes: 1 }]);
      },
    };
  },
};

/** Connections that bring files, until there are too many; when one has gone, another one is let in. */
const allUploadsCase: LimitCase = {
  limit: UPLOADS_LIMIT,
  open: (onLimit) => {
    const { dial } = openPort(onLimit);
    const open: Connection[] = [];
    const begin = (at: number) => {
      const connection = dial();
      open.push(connection);
      return connection.list(`BUS${at}/1`, SMALL);
    };
    return {
      upTo: async () => {
        for (let at = 0; at < UPLOADS_LIMIT.max; at++) expect(await begin(at)).toBe(GeneralResult.Ok);
      },
      beyond: async () => {
        expect(await begin(UPLOADS_LIMIT.max)).toBe(GeneralResult.Failed);
        open[0]?.close();
        await settled();
        expect(await begin(UPLOADS_LIMIT.max)).toBe(GeneralResult.Ok);
      },
    };
  },
};

/** Uploads of one device: connections that it has lost make room, once they have been silent for a while. */
const staleUploadsCase: LimitCase = {
  limit: DEVICE_UPLOADS_LIMIT,
  open: (onLimit) => {
    const { timers, dial } = openPort(onLimit);
    const open: Connection[] = [];
    const begin = (at: number) => {
      const connection = dial();
      open.push(connection);
      return connection.list(`BUS1/${at}`, SMALL);
    };
    return {
      upTo: async () => {
        for (let at = 0; at < DEVICE_UPLOADS_LIMIT.max; at++) expect(await begin(at)).toBe(GeneralResult.Ok);
      },
      beyond: async () => {
        timers.advance(STALE_MS - 1);
        expect(await begin(DEVICE_UPLOADS_LIMIT.max)).toBe(GeneralResult.Failed);
        for (const lively of open.slice(1, DEVICE_UPLOADS_LIMIT.max)) await lively.send(1);
        timers.advance(1);
        expect(await begin(DEVICE_UPLOADS_LIMIT.max)).toBe(GeneralResult.Ok);
        const isCut = open.slice(0, DEVICE_UPLOADS_LIMIT.max).map((each) => each.isCut);
        expect(isCut).toEqual([true, false, false, false]);
      },
      calls: 2,
    };
  },
};

export const attachmentCases: readonly LimitCase[] = [
  ...connectionCasesOf(ATTACHMENT_CONNECTIONS),
  firstListCase,
  firstBytesCase,
  progressCase,
  durationCase,
  surplusCase,
  listCase(FILE_BYTES_LIMIT, filesOf(1, FILE_BYTES_LIMIT.max), filesOf(1, FILE_BYTES_LIMIT.max + 1)),
  listCase(FILES_LIMIT, filesOf(FILES_LIMIT.max, 1), filesOf(FILES_LIMIT.max + 1, 1)),
  listCase(LIST_BYTES_LIMIT, filesOf(4, LIST_BYTES_LIMIT.max / 4), [
    ...filesOf(4, LIST_BYTES_LIMIT.max / 4),
    { name: 'x', sizeBytes: 1 },
  ]),
  rangesCase,
  allUploadsCase,
  staleUploadsCase,
];
