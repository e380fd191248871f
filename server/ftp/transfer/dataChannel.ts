// The origin of a data connection: the terminal dials a port of the gateway (passive), or the gateway dials the terminal (active).
import type { Server, Socket } from 'node:net';
import { plainAddress } from '../../device/tcpServer.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { createTcpServer, listenOn, openSocket } from '../../faults/sockets.ts';
import type { DeviceOwners } from '../../limits/deviceOwners.ts';
import { GroupPlaces } from '../../limits/groupPlaces.ts';
import type { OnLimit } from '../../limits/limit.ts';
import { DATA_CONNECT_LIMIT, PASSIVE_LIMIT } from '../ftpLimits.ts';
import type { DataAddress } from '../protocol/dataAddress.ts';

/** A channel that PASV or PORT prepares for the transfer that follows. */
export interface DataChannel {
  /** Undefined when the connection does not come, or comes too late. The caller owns the socket. */
  take(): Promise<Socket | undefined>;
  close(): void;
}

export interface PassiveChannel extends DataChannel {
  readonly port: number;
}

interface ChannelDeps {
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onLimit: OnLimit;
  readonly onFault: OnFault;
}

export interface PassivePortsOptions extends ChannelDeps {
  readonly owners: Pick<DeviceOwners, 'ofDevice' | 'count'>;
  readonly host: string;
  /** Inclusive. From 0 on: any free ports. */
  readonly first: number;
  readonly last: number;
}

/** Bytes that are read ahead of the disk; larger pieces cost fewer writes. */
const READ_AHEAD_BYTES = 512 * 1024;

/** A request for a port. */
export interface PortWish {
  /** The one address that may dial it. */
  readonly remoteAddress: string;
  readonly deviceId: string;
}

/** The ports that terminals are told to dial. Each waits for one connection, and is free again once that has come. */
export class PassivePorts {
  readonly #options: PassivePortsOptions;
  readonly #waiting = new Set<number>();
  readonly #places: GroupPlaces;
  #next: number;

  constructor(options: PassivePortsOptions) {
    const { first, last, owners, onLimit } = options;
    const max = first === 0 ? PASSIVE_LIMIT.max : Math.min(PASSIVE_LIMIT.max, last - first + 1);
    this.#places = new GroupPlaces({ limit: { ...PASSIVE_LIMIT, max }, onLimit, groups: () => owners.count });
    this.#options = options;
    this.#next = options.first;
  }

  /** Ports that wait for a connection. */
  get takenCount(): number {
    return this.#waiting.size;
  }

  /** Undefined when every port waits for a connection, or as many as are allowed for the device's member group. */
  async listen({ remoteAddress, deviceId }: PortWish): Promise<PassiveChannel | undefined> {
    const { first, last, owners, onLimit } = this.#options;
    const leave = this.#places.enter(owners.ofDevice(deviceId));
    if (leave === undefined) return undefined;
    const attempts = first === 0 ? 1 : last - first + 1;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const channel = await this.#listenAt(this.#take(), remoteAddress, leave);
      if (channel !== undefined) return channel;
    }
    leave();
    onLimit(PASSIVE_LIMIT);
    return undefined;
  }

  /** Takes the ports in turn, so that a late connection for one transfer does not meet the next one. */
  #take(): number {
    const { first, last } = this.#options;
    const port = this.#next;
    this.#next = port >= last ? first : port + 1;
    return port;
  }

  async #listenAt(port: number, remoteAddress: string, leave: () => void): Promise<PassiveChannel | undefined> {
    if (port !== 0 && this.#waiting.has(port)) return undefined;
    const { host } = this.#options;
    const waiting = new WaitingPort(remoteAddress, this.#options, (held) => {
      this.#waiting.delete(held);
      leave();
    });
    if (port !== 0) this.#waiting.add(port);
    try {
      await listenOn(waiting.server, host, port);
    } catch {
      // Another program uses the port.
      this.#waiting.delete(port);
      return undefined;
    }
    const address = waiting.server.address();
    const bound = typeof address === 'object' && address !== null ? address.port : port;
    this.#waiting.add(bound);
    waiting.listens(bound);
    return waiting;
  }
}

class WaitingPort implements PassiveChannel {
  readonly server: Server;
  readonly #onFree: (port: number) => void;
  readonly #came: Promise<Socket | undefined>;
  readonly #deps: ChannelDeps;
  #settle: (socket: Socket | undefined) => void = () => undefined;
  #socket: Socket | undefined;
  #isTaken = false;
  #isClosed = false;
  #cancelTimer = (): void => undefined;
  port = 0;

  constructor(remoteAddress: string, deps: ChannelDeps, onFree: (port: number) => void) {
    this.#deps = deps;
    this.#onFree = onFree;
    this.#came = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const accept = (socket: Socket): void => {
      if (this.#isClosed || plainAddress(socket.remoteAddress) !== remoteAddress) socket.destroy();
      else this.#end(socket);
    };
    this.server = createTcpServer({ highWaterMark: READ_AHEAD_BYTES }, accept, deps.onFault);
  }

  listens(port: number): void {
    this.port = port;
    this.#cancelTimer = this.#deps.runAfter(DATA_CONNECT_LIMIT.max, () => {
      this.#deps.onLimit(DATA_CONNECT_LIMIT);
      this.#end(undefined);
    });
  }

  take(): Promise<Socket | undefined> {
    this.#isTaken = true;
    return this.#came;
  }

  /** Closes the channel with a socket that came and was not taken. */
  close(): void {
    this.#end(undefined);
    if (!this.#isTaken) this.#socket?.destroy();
  }

  #end(socket: Socket | undefined): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelTimer();
    this.#socket = socket;
    this.server.close();
    this.#onFree(this.port);
    this.#settle(socket);
  }
}

/** The terminal waits for the gateway at an address that it has named, which is its own. */
export class ActiveChannel implements DataChannel {
  readonly #target: DataAddress;
  readonly #deps: ChannelDeps;
  #socket: Socket | undefined;

  constructor(target: DataAddress, deps: ChannelDeps) {
    this.#target = target;
    this.#deps = deps;
  }

  take(): Promise<Socket | undefined> {
    const { runAfter, onLimit, onFault } = this.#deps;
    const socket = openSocket(this.#target, onFault);
    this.#socket = socket;
    return new Promise((resolve) => {
      const cancel = runAfter(DATA_CONNECT_LIMIT.max, () => {
        onLimit(DATA_CONNECT_LIMIT);
        socket.destroy();
      });
      socket.once('connect', () => {
        cancel();
        resolve(socket);
      });
      socket.once('close', () => {
        cancel();
        resolve(undefined);
      });
    });
  }

  close(): void {
    if (this.#socket?.connecting === true) this.#socket.destroy();
  }
}
