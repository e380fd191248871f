// How the limits of transfers are reached.
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import {
  DEVICE_UPLOADS_LIMIT,
  UPLOADS_LIMIT,
  UploadRequests,
} from '../../../../server/device/uploads/uploadRequests.ts';
import {
  ADDRESS_PASSWORDS_LIMIT,
  DATA_CONNECT_LIMIT,
  DATA_IDLE_LIMIT,
  LOGIN_BYTES_LIMIT,
  LOGIN_FILES_LIMIT,
  PASSIVE_LIMIT,
} from '../../../../server/ftp/ftpLimits.ts';
import { PasswordGuard } from '../../../../server/ftp/passwordGuard.ts';
import type { PassiveChannel } from '../../../../server/ftp/transfer/dataChannel.ts';
import { LoginFiles } from '../../../../server/ftp/transfer/loginFiles.ts';
import { receiveFile } from '../../../../server/ftp/transfer/receiveFile.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { settled } from '../../../unit/server/device/jt808/fakeTerminal.ts';
import type { LimitCase } from '../describeLimits.ts';
import { times } from '../manyOf.ts';
import { failNever } from '../terminals/terminalScene.ts';
import { openServer, uploadLogin } from './ftpScene.ts';

const addressPasswordsCase: LimitCase = {
  limit: ADDRESS_PASSWORDS_LIMIT,
  open: (onLimit) => {
    const timers = new ManualTimers();
    const guard = new PasswordGuard(timers.now, onLimit);
    return {
      upTo: () => {
        times(ADDRESS_PASSWORDS_LIMIT.max, () => expect(guard.failed('10.0.0.7')).toBe(0));
      },
      beyond: () => {
        expect([guard.failed('10.0.0.7'), guard.failed('10.0.0.7'), guard.failed('10.0.0.8')]).toEqual([
          1_000, 2_000, 0,
        ]);
      },
      calls: 2,
    };
  },
};

const dataConnectCase: LimitCase = {
  limit: DATA_CONNECT_LIMIT,
  open: (onLimit) => {
    const { passivePorts, timers } = openServer(onLimit);
    let came: Socket | 'waiting' | undefined = 'waiting';
    return {
      upTo: async () => {
        const channel = await passivePorts.listen({ remoteAddress: '127.0.0.1', deviceId: 'BUS1' });
        void channel?.take().then((socket) => {
          came = socket;
        });
        timers.advance(DATA_CONNECT_LIMIT.max - 1);
        await settled();
        expect(came).toBe('waiting');
      },
      beyond: async () => {
        timers.advance(1);
        await settled();
        expect(came).toBeUndefined();
      },
    };
  },
};

const dataIdleCase: LimitCase = {
  limit: DATA_IDLE_LIMIT,
  open: (onLimit) => {
    const timers = new ManualTimers();
    const socket = new PassThrough();
    socket.on('error', () => undefined);
    const files = new LoginFiles(uploadLogin(), onLimit);
    const placed = files.place('/a', 0);
    if (!placed.ok) throw new Error('there is no room for a file');
    const ended = receiveFile(socket as unknown as Socket, {
      handle: { write: async (_: unknown, at: number, length: number) => ({ bytesWritten: length - at }) } as never,
      file: placed.file,
      files,
      onReceived: () => undefined,
      onBytes: () => undefined,
      runAfter: timers.runAfter,
      onLimit,
    });
    return {
      upTo: async () => {
        timers.advance(DATA_IDLE_LIMIT.max - 1);
        socket.write('x');
        await settled();
        timers.advance(DATA_IDLE_LIMIT.max - 1);
        expect([placed.file.bytes, socket.destroyed]).toEqual([1, false]);
      },
      beyond: async () => {
        timers.advance(1);
        expect(await ended).toEqual({ kind: 'silent' });
      },
    };
  },
};

const passiveCase: LimitCase = {
  limit: PASSIVE_LIMIT,
  open: (onLimit) => {
    const { passivePorts } = openServer(onLimit);
    const waiting: (PassiveChannel | undefined)[] = [];
    const listen = async (): Promise<boolean> => {
      const channel = await passivePorts.listen({ remoteAddress: '127.0.0.1', deviceId: 'BUS1' });
      waiting.push(channel);
      return channel !== undefined;
    };
    onTestFinished(() => {
      for (const channel of waiting) channel?.close();
    });
    return {
      upTo: async () => {
        for (let at = 0; at < PASSIVE_LIMIT.max; at++) expect(await listen()).toBe(true);
      },
      beyond: async () => {
        expect(await listen()).toBe(false);
        waiting[0]?.close();
        expect(await listen()).toBe(true);
      },
    };
  },
};

const bytesCase: LimitCase = {
  limit: LOGIN_BYTES_LIMIT,
  open: (onLimit) => {
    const files = new LoginFiles(uploadLogin(), onLimit);
    const placed = files.place('/a', 0);
    if (!placed.ok) throw new Error('there is no room for a file');
    return {
      upTo: () => expect(files.grow(placed.file, LOGIN_BYTES_LIMIT.max)).toBe(true),
      beyond: () => expect([files.grow(placed.file, 1), placed.file.bytes]).toEqual([false, LOGIN_BYTES_LIMIT.max]),
    };
  },
};

const filesCase: LimitCase = {
  limit: LOGIN_FILES_LIMIT,
  open: (onLimit) => {
    const files = new LoginFiles(uploadLogin(), onLimit);
    return {
      upTo: () => times(LOGIN_FILES_LIMIT.max, (at) => expect(files.place(`/${at}`, 0).ok).toBe(true)),
      beyond: () => {
        expect(files.place('/one-more', 0)).toEqual({ ok: false, reason: 'too-many' });
        expect(files.place('/0', 0).ok).toBe(true);
      },
    };
  },
};

/** Requests of devices that never answer. */
function requestsCase(limit: LimitCase['limit'], incarnationAt: (at: number) => number): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const requests = new UploadRequests({
        feed: { subscribe: () => () => undefined },
        sessionOf: () => undefined,
        runAfter: new ManualTimers().runAfter,
        onLimit,
        onFault: failNever,
      });
      const order = {
        target: { host: '192.0.2.1', port: 7_021, user: 'u', password: 'p', path: '/p' },
        channel: 1,
        quality: 'main',
        start: wallMs(0),
        end: wallMs(1),
        networks: { wifi: true, lan: true, mobile: true },
      } as const;
      const request = (at: number) => {
        const session = { deviceId: `BUS${at}`, incarnation: incarnationAt(at), channelsFromZero: false };
        return requests.request({ ...session, command: () => new Promise(() => undefined) }, order);
      };
      return {
        upTo: () => times(limit.max - 1, (at) => expect(request(at)).toBeDefined()),
        beyond: async () => {
          const last = request(limit.max - 1);
          expect(request(limit.max)).toBeUndefined();
          await last?.cancel();
          expect(request(limit.max)).toBeDefined();
        },
      };
    },
  };
}

export const ftpTransferCases: readonly LimitCase[] = [
  addressPasswordsCase,
  dataConnectCase,
  dataIdleCase,
  passiveCase,
  bytesCase,
  filesCase,
  requestsCase(UPLOADS_LIMIT, (at) => at),
  requestsCase(DEVICE_UPLOADS_LIMIT, () => 1),
];
