// The file transfer server as the gateway runs it.
import { lookup } from 'node:dns/promises';
import { Gauge } from 'prom-client';
import type { TrafficMeter } from '../device/usage/trafficMeter.ts';
import type { FtpLogins } from '../ftp/ftpLogin.ts';
import type { FtpNote } from '../ftp/ftpNote.ts';
import { FtpServer } from '../ftp/ftpServer.ts';
import type { DeviceOwners } from '../limits/deviceOwners.ts';
import type { Log } from '../process/log.ts';
import { type Context, toolsOf } from './context.ts';

/** Rejects when FTP_PORT cannot be had. */
export async function startFtp(context: Context, owners: DeviceOwners): Promise<FtpServer> {
  const { config, log, closing, onLimit, metrics } = context;
  const { runAfter, onFault } = toolsOf(context, 'file transfer');
  const ports = {
    host: config.host,
    port: config.ftpPort,
    passivePorts: config.ftpPassivePorts,
    publicHost: config.publicHost,
    publicPort: config.publicFtpPort,
  };
  const server = await FtpServer.start(ports, {
    now: Date.now,
    runAfter,
    lookup: async (host) => (await lookup(host, { family: 4 })).address,
    owners,
    onLimit,
    onFault,
    onNote: (note) => logNote(log, note),
  });
  closing.add('file transfer', () => server.close());
  new Gauge({
    name: 'fleetglass_ftp_logins',
    help: 'File transfers that terminals have been asked for and that are not over',
    registers: [metrics],
    collect() {
      this.set(server.openLogins);
    },
  });
  return server;
}

/** Tells of what goes over the file transfer, in the kind that its login is for. */
export function countedLogins(logins: FtpLogins, meter: TrafficMeter): FtpLogins {
  return {
    open: (login) => {
      const { incarnation } = login;
      if (login.kind === 'upload') {
        const onReceived = (bytes: number): void => {
          meter.note(incarnation, 'sync', { receivedBytes: bytes, sentBytes: 0 });
          login.onReceived?.(bytes);
        };
        return logins.open({ ...login, onReceived });
      }
      const onBytes = (offset: number, bytes: number): void => {
        meter.note(incarnation, 'firmware', { receivedBytes: 0, sentBytes: bytes });
        login.onBytes(offset, bytes);
      };
      return logins.open({ ...login, onBytes });
    },
  };
}

function logNote(log: Log, { kind, ...facts }: FtpNote): void {
  if (kind === 'wrong-password') log.warn(facts, 'file transfer: wrong password');
  else log.info(facts, `file transfer: ${kind}`);
}
