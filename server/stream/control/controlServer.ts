// The sockets for PTZ and talk: access check, one person at a time, audit, release.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { ControlPort } from '../../device/controls.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { AccessWatch, StreamAccess } from '../../sockets/accessWatch.ts';
import type { Refusal } from '../../sockets/refusal.ts';
import { type ChannelQuery, parseChannelQuery } from '../channelQuery.ts';
import { refuseSocket } from '../events.ts';
import { ControlAudit, type ControlAuditDeps } from './controlAudit.ts';
import { type ControlKind, ControlLocks } from './controlLocks.ts';
import { servePtz } from './ptzSocket.ts';
import { serveTalk } from './talkSocket.ts';

export interface ControlDeps extends ControlAuditDeps {
  readonly port: ControlPort;
  readonly onLimit?: OnLimit | undefined;
  /** Whether this link may control this channel now, and whether the channel has what is to be controlled. */
  readonly mayControl: (query: ChannelQuery, kind: ControlKind) => Promise<StreamAccess>;
}

export interface ControlRequest {
  readonly kind: ControlKind;
  readonly parameters: URLSearchParams;
  /** The connection below the WebSocket. */
  readonly connection: Duplex;
  /** Who is at its other end. */
  readonly address: string;
}

const IN_USE: Refusal = { code: 'in-use', message: 'Another user is using this. Try again later.' };

export class ControlServer {
  readonly #deps: ControlDeps;
  readonly #accessWatch: AccessWatch;
  readonly #locks = new ControlLocks();
  readonly #controlAudit: ControlAudit;

  constructor(deps: ControlDeps, accessWatch: AccessWatch) {
    this.#deps = deps;
    this.#accessWatch = accessWatch;
    this.#controlAudit = new ControlAudit(deps);
  }

  async admit(socket: WebSocket, request: ControlRequest): Promise<void> {
    const query = parseChannelQuery(request.parameters);
    if (query === undefined) {
      refuseSocket(socket, { code: 'bad-request', message: 'The query needs deviceid and channel.' });
      return;
    }
    const access = await this.#deps.mayControl(query, request.kind);
    if (socket.readyState !== socket.OPEN) return;
    if (!access.ok) {
      refuseSocket(socket, access);
      return;
    }
    const letGo = this.#locks.take(request.kind, query);
    if (letGo === undefined) refuseSocket(socket, IN_USE);
    else this.#hold(socket, { ...request, query, letGo });
  }

  /** Waits until every end is noted; the sockets are closed by their owner before. */
  close(): Promise<void> {
    return this.#controlAudit.close();
  }

  #hold(socket: WebSocket, held: ControlRequest & { readonly query: ChannelQuery; readonly letGo: () => void }): void {
    const { kind, query, letGo, address, connection } = held;
    const end = (reason: string): void => {
      if (isEnded) return;
      isEnded = true;
      stopWatching();
      if ('release' in service) service.release();
      letGo();
      noteEnd?.(reason);
    };
    // Audited at once instead of when the socket closes: an unresponsive page keeps it open for half a minute.
    const refuse = (reason: Refusal): void => {
      if (isEnded) return;
      end(reason.code);
      refuseSocket(socket, reason);
    };
    let isEnded = false;
    let noteEnd: ((reason: string) => void) | undefined;
    const question = [kind, query.username, query.credential, query.deviceId, query.channel];
    const stopWatching = this.#accessWatch.add(question, () => this.#deps.mayControl(query, kind), refuse);
    const serve = kind === 'ptz' ? servePtz : serveTalk;
    const service = serve(socket, {
      target: query,
      connection,
      port: this.#deps.port,
      now: this.#deps.now,
      onFault: this.#deps.onFault,
      end: refuse,
      onLimit: this.#deps.onLimit,
    });
    if (!('release' in service)) {
      refuse(service);
      return;
    }
    noteEnd = this.#controlAudit.begin(kind, { ...query, address });
    socket.on('close', () => end('closed'));
  }
}
