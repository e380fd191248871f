// Data sync's uploads over the file transfer server, which terminals are asked for by 0x9206.
import type { DeviceRegistry } from '../../device/registry.ts';
import type { UploadEnd, UploadRequest } from '../../device/uploads/uploadOrder.ts';
import type { UploadRequests } from '../../device/uploads/uploadRequests.ts';
import type { FtpLogins, FtpUploadLogin } from '../../ftp/ftpLogin.ts';
import type { UploadOrder, UploadPort, UploadRequested } from '../../sync/engine/attempts/uploadPort.ts';
import type { UploadDisk } from './uploadDisk.ts';

export interface SyncUploadsDeps {
  readonly logins: FtpLogins;
  readonly requests: Pick<UploadRequests, 'request'>;
  readonly registry: Pick<DeviceRegistry, 'session'>;
  readonly uploadDisk: UploadDisk;
}

export interface SyncUploads {
  readonly logins: FtpLogins;
  readonly uploads: UploadPort;
  readonly uploadDisk: UploadDisk;
}

const NETWORKS = { wifi: 1, lan: 2, mobile: 4 } as const;

/** A request hears of the bytes of its login: a terminal that sends has accepted, and isn't silent. */
export function createSyncUploads({ logins, requests, registry, uploadDisk }: SyncUploadsDeps): SyncUploads {
  /** Requests by the user of the login that was created for each. */
  const open = new Map<string, UploadRequest>();
  return {
    uploadDisk,
    logins: {
      open: (login) => {
        if (login.kind !== 'upload') return logins.open(login);
        const hasRoom = (): Promise<boolean> => uploadDisk.hasRoom();
        return openLogin({ ...login, hasRoom }, logins, (user) => open.get(user)?.noteBytes());
      },
    },
    uploads: {
      request: async (order) => {
        const session = registry.session(order.deviceId);
        if (session === undefined) return { ok: false, reason: 'offline' };
        const request = requests.request(session, toOrder(order));
        if (request === undefined) return { ok: false, reason: 'no-answer' };
        open.set(order.to.user, request);
        const done = request.done.finally(() => open.delete(order.to.user));
        return answerOf(request, done);
      },
    },
  };
}

function openLogin(
  login: FtpUploadLogin,
  logins: FtpLogins,
  noteBytes: (user: string) => void,
): ReturnType<FtpLogins['open']> {
  let user = '';
  const opened = logins.open({
    ...login,
    onBytes: (bytes: number) => {
      noteBytes(user);
      login.onBytes(bytes);
    },
  });
  user = opened?.address.user ?? '';
  return opened;
}

function toOrder({ to, channel, stream, from, until, networks }: UploadOrder) {
  return {
    target: to,
    channel,
    quality: stream,
    start: from,
    end: until,
    networks: {
      wifi: (networks & NETWORKS.wifi) !== 0,
      lan: (networks & NETWORKS.lan) !== 0,
      mobile: (networks & NETWORKS.mobile) !== 0,
    },
  };
}

async function answerOf(request: UploadRequest, done: Promise<UploadEnd>): Promise<UploadRequested> {
  const accepted = await request.accepted;
  if (!accepted.ok) {
    switch (accepted.reason) {
      case 'refused':
        return { ok: false, reason: 'refused' };
      case 'timeout':
        return { ok: false, reason: 'no-answer' };
      case 'closed':
        return { ok: false, reason: 'offline' };
    }
  }
  return {
    ok: true,
    done: done.then(endOf),
    control: async (act) => (await request[act]()).ok,
  };
}

function endOf({ kind }: UploadEnd): 'done' | 'failed' | 'silent' {
  return kind === 'done' || kind === 'failed' ? kind : 'silent';
}
