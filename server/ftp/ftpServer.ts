// The file transfer server for terminals: it serves only the logins that are open.
import { listenTcp, type TcpListener } from '../device/tcpServer.ts';
import type { OnFault } from '../faults/onFault.ts';
import type { DeviceOwners } from '../limits/deviceOwners.ts';
import { GroupPlaces } from '../limits/groupPlaces.ts';
import type { OnLimit } from '../limits/limit.ts';
import { FTP_CONNECTIONS } from './ftpLimits.ts';
import type { FtpAddress, FtpLogin, FtpLogins } from './ftpLogin.ts';
import type { FtpNote } from './ftpNote.ts';
import { FtpSession } from './ftpSession.ts';
import { LoginTable } from './loginTable.ts';
import { PasswordGuard } from './passwordGuard.ts';
import { PublicAddress } from './publicAddress.ts';
import { PassivePorts } from './transfer/dataChannel.ts';

export interface FtpPorts {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Inclusive; from 0 on, any free ones. */
  readonly passivePorts: { readonly first: number; readonly last: number };
  readonly publicHost: string | undefined;
  /** The port that terminals have to dial for `port`. */
  readonly publicPort: number | undefined;
}

export interface FtpServerDeps {
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  /** The IPv4 address of a name. Rejects when there is none. */
  readonly lookup: (host: string) => Promise<string>;
  readonly owners: Pick<DeviceOwners, 'ofDevice' | 'count'>;
  readonly onLimit: OnLimit;
  readonly onFault: OnFault;
  readonly onNote: (note: FtpNote) => void;
}

interface ServingFtp {
  readonly listener: TcpListener;
  readonly logins: LoginTable;
  readonly passivePorts: PassivePorts;
}

export class FtpServer implements FtpLogins {
  readonly #logins: LoginTable;
  readonly #listener: TcpListener;
  readonly #passivePorts: PassivePorts;
  readonly #ports: FtpPorts;

  private constructor(ports: FtpPorts, { listener, logins, passivePorts }: ServingFtp) {
    this.#ports = ports;
    this.#listener = listener;
    this.#logins = logins;
    this.#passivePorts = passivePorts;
  }

  /** Rejects when the port is not available. */
  static async start(ports: FtpPorts, deps: FtpServerDeps): Promise<FtpServer> {
    const { host, port, publicHost, publicPort } = ports;
    const { now, owners, onLimit, onFault } = deps;
    const logins = new LoginTable({ ...deps, publicHost, port: () => publicPort ?? listener.port });
    const passwords = new PasswordGuard(now, onLimit);
    const publicAddress = new PublicAddress({ ...deps, publicHost });
    const passivePorts = new PassivePorts({ ...deps, ...ports.passivePorts, host });
    const places = new GroupPlaces({ limit: FTP_CONNECTIONS.open, onLimit, groups: () => owners.count });
    const options = { host, port, limits: FTP_CONNECTIONS, onLimit, onFault };
    const listener: TcpListener = await listenTcp(options, (socket, onProved) => {
      new FtpSession(socket, { ...deps, logins, passwords, publicAddress, passivePorts, places, onProved });
    });
    return new FtpServer(ports, { listener, logins, passivePorts });
  }

  get port(): number {
    return this.#listener.port;
  }

  get isListening(): boolean {
    return this.#listener.isListening;
  }

  /** The ports of data connections, and how many of them wait for a terminal. */
  get passiveRange(): FtpPorts['passivePorts'] & { readonly taken: number } {
    return { ...this.#ports.passivePorts, taken: this.#passivePorts.takenCount };
  }

  /** For metrics. */
  get openLogins(): number {
    return this.#logins.size;
  }

  open(login: FtpLogin): { readonly address: FtpAddress; readonly close: () => void } | undefined {
    return this.#logins.open(login);
  }

  /** Ends all logins and connections. */
  async close(): Promise<void> {
    this.#logins.close();
    await this.#listener.close();
  }
}
