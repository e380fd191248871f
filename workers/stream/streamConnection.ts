// One stream of the page: its socket, and the port that leads to its decoder. Owns both.
import type { StreamEvent, ViewerMessage } from '../../shared/protocol/streamMessages.ts';
import type { ToVideoStream } from '../video/messages.ts';
import type { StreamFaultKind } from './messages.ts';
import { routeMessage } from './routeMessage.ts';

/** The part of a WebSocket that is used here. */
export interface StreamSocket {
  binaryType: BinaryType;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  readonly readyState: number;
  send(text: string): void;
  close(): void;
}

export interface StreamPort {
  postMessage(message: ToVideoStream, transfer: Transferable[]): void;
  close(): void;
}

export interface ConnectionSink {
  opened(): void;
  received(packets: number, bytes: number): void;
  event(event: StreamEvent): void;
  closed(code: number): void;
  fault(kind: StreamFaultKind): void;
}

export interface ConnectionDeps {
  readonly url: string;
  readonly port: StreamPort;
  readonly sink: ConnectionSink;
  readonly connect: (url: string) => StreamSocket;
}

const SOCKET_OPEN = 1;

export class StreamConnection {
  readonly #deps: ConnectionDeps;
  #socket: StreamSocket | undefined;

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
    this.reconnect();
  }

  /** Leaves the present socket, whatever its state, and opens a new one. */
  reconnect(): void {
    this.#dropSocket();
    const socket = this.#deps.connect(this.#deps.url);
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => this.#deps.sink.opened();
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) this.#receive(data);
    };
    // A refused or broken socket closes too, so its error event says nothing more.
    socket.onclose = ({ code }) => {
      this.#dropSocket();
      this.#deps.sink.closed(code);
    };
    // The units of the new connection follow this on the same port: none of the old one can come behind it.
    this.#deps.port.postMessage({ type: 'start' }, []);
  }

  send(message: ViewerMessage): void {
    if (this.#socket?.readyState === SOCKET_OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Safe to call twice. */
  close(): void {
    this.#dropSocket();
    this.#deps.port.close();
  }

  #receive(buffer: ArrayBuffer): void {
    const { sink, port } = this.#deps;
    const { units, events, packets, fault } = routeMessage(buffer);
    sink.received(packets, buffer.byteLength);
    if (units.length > 0) port.postMessage({ type: 'units', buffer, units }, [buffer]);
    for (const event of events) sink.event(event);
    if (fault === undefined) return;
    sink.fault(fault === 'version' ? 'version' : 'damaged');
    // What follows an unknown version cannot be understood either; the stream ends here.
    if (fault === 'version') this.#dropSocket();
  }

  /** Also while it is still connecting: browsers open only so many sockets at a time. */
  #dropSocket(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket === undefined) return;
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }
}
