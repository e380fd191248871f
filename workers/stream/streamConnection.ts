// One stream of the page: its socket, and the ports that lead to its decoders. Owns them.
import type { ControlEvent, PtzMessage } from '../../shared/protocol/stream/controlMessages.ts';
import type { ClockEvent, StreamEvent, ViewerMessage } from '../../shared/protocol/stream/streamMessages.ts';
import type { ToAudioStream } from '../audio/messages.ts';
import type { ToVideoStream } from '../video/messages.ts';
import type { StreamFaultKind } from './messages.ts';
import { type RoutedMessage, routeMessage } from './routeMessage.ts';

/** The part of a WebSocket that is used here. */
export interface StreamSocket {
  binaryType: BinaryType;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  readonly readyState: number;
  send(data: string | ArrayBuffer): void;
  close(): void;
}

interface StreamPort {
  postMessage(message: ToVideoStream, transfer: Transferable[]): void;
  close(): void;
}

export interface AudioPort {
  postMessage(message: ToAudioStream, transfer: Transferable[]): void;
  close(): void;
}

/** The part of a MessagePort that speech comes from. */
export type SpeechPort = Pick<MessagePort, 'onmessage' | 'close'>;

interface ConnectionSink {
  opened(): void;
  received(packets: number, bytes: number): void;
  event(event: StreamEvent): void;
  control(event: ControlEvent): void;
  /** Sound has come and there is nowhere to send it; called once. */
  audio(): void;
  closed(code: number): void;
  fault(kind: StreamFaultKind): void;
}

export interface ConnectionDeps {
  readonly url: string;
  /** Where pictures go; a control line has none. */
  readonly port: StreamPort | undefined;
  readonly sink: ConnectionSink;
  readonly connect: (url: string) => StreamSocket;
}

const SOCKET_OPEN = 1;

function clockNow({ event, atMs }: { readonly event: ClockEvent; readonly atMs: number }): ClockEvent {
  const passedMs = event.paused ? 0 : (performance.now() - atMs) * event.speed;
  return { ...event, positionMs: event.positionMs + passedMs };
}

export class StreamConnection {
  readonly #deps: ConnectionDeps;
  #url: string;
  #socket: StreamSocket | undefined;
  #audioPort: AudioPort | undefined;
  #speechPort: SpeechPort | undefined;
  #isAudioReported = false;
  /** The last said, for a port that comes later. */
  #format: (StreamEvent & { readonly type: 'format' }) | undefined;
  #clock: { readonly event: ClockEvent; readonly atMs: number } | undefined;

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
    this.#url = deps.url;
    this.reconnect();
  }

  /** Leaves the present socket, whatever its state, and opens a new one; at another address from now on, when given. */
  reconnect(url = this.#url): void {
    this.#url = url;
    this.#dropSocket();
    this.#clock = undefined;
    const socket = this.#deps.connect(url);
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
    // The units of the new connection follow this on the same port: none of the old connection can come after it.
    this.#deps.port?.postMessage({ type: 'start' }, []);
    this.#audioPort?.postMessage({ type: 'start' }, []);
  }

  /** Takes the port over, in place of the one before. */
  setAudioPort(port: AudioPort): void {
    this.#audioPort?.close();
    this.#audioPort = port;
    if (this.#format !== undefined) port.postMessage(this.#format, []);
    if (this.#clock !== undefined) port.postMessage(clockNow(this.#clock), []);
  }

  /** Takes the port over, in place of the one before. What comes while the socket is not open is lost: speech is for now. */
  setSpeechPort(port: SpeechPort): void {
    this.#speechPort?.close();
    this.#speechPort = port;
    port.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer && this.#socket?.readyState === SOCKET_OPEN) this.#socket.send(data);
    };
  }

  send(message: ViewerMessage | PtzMessage): void {
    if (this.#socket?.readyState === SOCKET_OPEN) this.#socket.send(JSON.stringify(message));
    // What was decoded up to here leads to nothing that comes later: without video the decoder is given back, and with
    // it again only a key frame makes a beginning.
    if (message.type === 'video') this.#deps.port?.postMessage({ type: 'start' }, []);
  }

  /** Safe to call twice. */
  close(): void {
    this.#dropSocket();
    this.#deps.port?.close();
    this.#audioPort?.close();
    this.#speechPort?.close();
  }

  #receive(buffer: ArrayBuffer): void {
    const { sink, port } = this.#deps;
    const routed = routeMessage(buffer);
    const { units, events, controls, packets, fault } = routed;
    sink.received(packets, buffer.byteLength);
    this.#passClock(events);
    this.#passSound(routed);
    const receivedAt = performance.timeOrigin + performance.now();
    if (units.length > 0) port?.postMessage({ type: 'units', receivedAt, buffer, units }, [buffer]);
    for (const event of events) {
      if (event.type === 'gap' || event.type === 'ended') port?.postMessage(event, []);
      sink.event(event);
    }
    for (const event of controls) sink.control(event);
    if (fault === undefined) return;
    sink.fault(fault === 'version' ? 'version' : 'damaged');
    // What follows an unknown version cannot be understood either; the stream ends here.
    if (fault === 'version') this.#dropSocket();
  }

  /** Passed before the units that came with it: a jump is reported before its first picture. */
  #passClock(events: readonly StreamEvent[]): void {
    for (const event of events) {
      if (event.type !== 'clock') continue;
      this.#clock = { event, atMs: performance.now() };
      this.#deps.port?.postMessage(event, []);
      this.#audioPort?.postMessage(event, []);
    }
  }

  #passSound({ frames, events }: RoutedMessage): void {
    for (const event of events) {
      if (event.type !== 'format') continue;
      this.#format = event;
      this.#audioPort?.postMessage(event, []);
    }
    if (frames.length === 0) return;
    if (this.#audioPort !== undefined) {
      this.#audioPort.postMessage(
        { type: 'frames', frames },
        frames.map(({ bytes }) => bytes.buffer),
      );
      return;
    }
    if (!this.#isAudioReported) this.#deps.sink.audio();
    this.#isAudioReported = true;
  }

  /** Also while it is still connecting: browsers limit the number of sockets open at a time. */
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
