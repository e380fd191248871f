// A file transfer server with fake sockets and a clock that stands still.
import { onTestFinished } from 'vitest';
import { FTP_CONNECTIONS } from '../../../../server/ftp/ftpLimits.ts';
import { FtpSession } from '../../../../server/ftp/ftpSession.ts';
import { LoginTable } from '../../../../server/ftp/loginTable.ts';
import { PasswordGuard } from '../../../../server/ftp/passwordGuard.ts';
import { PublicAddress } from '../../../../server/ftp/publicAddress.ts';
import { PassivePorts } from '../../../../server/ftp/transfer/dataChannel.ts';
import { GroupPlaces } from '../../../../server/limits/groupPlaces.ts';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import { ONE_OWNER } from '../../../support/fakes/deviceOwners.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { FakeSocket, settled } from '../../../unit/server/device/jt808/fakeTerminal.ts';
import { failNever } from '../terminals/terminalScene.ts';

const FOLDER = '/data/uploads/1';

export function uploadLogin(untilMs = Number.MAX_SAFE_INTEGER) {
  return {
    kind: 'upload',
    deviceId: 'BUS1',
    incarnation: 1,
    remoteAddress: undefined,
    localAddress: '192.0.2.1',
    untilMs,
    folder: FOLDER,
    maxBytes: Number.MAX_SAFE_INTEGER,
    maxFiles: Number.MAX_SAFE_INTEGER,
    onBytes: () => undefined,
    onFile: () => undefined,
  } as const;
}

export function openServer(onLimit: OnLimit, owners = ONE_OWNER) {
  const timers = new ManualTimers();
  const { now, runAfter } = timers;
  const logins = new LoginTable({ publicHost: undefined, port: () => 7_021, now, runAfter, onLimit, owners });
  const passivePorts = new PassivePorts({
    ...{ host: '127.0.0.1', first: 0, last: 0 },
    ...{ runAfter, onLimit, onFault: failNever, owners },
  });
  const lookup = (): Promise<string> => Promise.reject(new Error('nothing is looked up'));
  const deps = {
    owners,
    places: new GroupPlaces({ limit: FTP_CONNECTIONS.open, onLimit, groups: () => owners.count }),
    logins,
    passivePorts,
    passwords: new PasswordGuard(now, onLimit),
    publicAddress: new PublicAddress({ publicHost: undefined, lookup, now }),
    now,
    runAfter,
    onLimit,
    onFault: failNever,
    onNote: () => undefined,
    onProved: () => undefined,
  };
  onTestFinished(() => logins.close());
  return {
    timers,
    logins,
    passivePorts,
    dial: () => new FakeClient((socket) => new FtpSession(socket.asSocket(), deps)),
  };
}

class FakeClient {
  readonly socket = new FakeSocket();

  constructor(serve: (socket: FakeSocket) => unknown) {
    serve(this.socket);
  }

  /** Sends lines, and gives the codes of the answers. */
  async say(...lines: readonly string[]): Promise<string[]> {
    this.socket.written.length = 0;
    this.socket.emit('data', Buffer.from(lines.map((line) => `${line}\r\n`).join('')));
    await settled();
    return this.codes;
  }

  /** Codes of the answers since the client last said something. */
  get codes(): string[] {
    return this.socket.written.map((text) => String(text).slice(0, 3));
  }

  signIn({ user, password }: { readonly user: string; readonly password: string }): Promise<string[]> {
    return this.say(`USER ${user}`, `PASS ${password}`);
  }
}
