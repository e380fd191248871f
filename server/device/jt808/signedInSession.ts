// A terminal that has signed in, as the rest of the gateway sees it. There are thousands: methods of a class take no memory for each, as closures did.
import type { StreamQuality } from '../../media/channelKey.ts';
import { wireChannel } from '../channelNumbers.ts';
import type {
  CommandResult,
  LiveOrder,
  MediaAddress,
  PlaybackControlOrder,
  PlaybackOrder,
  PtzOrder,
  QueryResult,
  TerminalSession,
} from '../terminalSession.ts';
import type { Edition, MessageKind } from './codec/codes.ts';
import type { Header } from './codec/header.ts';
import type { BodyOf, MessageBody } from './codec/message.ts';
import type { LivenessProbe } from './livenessProbe.ts';
import { liveRequest, liveStop, playbackControl, playbackRequest, ptzOrder, talkRequest, talkStop } from './orders.ts';
import type { LongMessage, PackagesResult } from './packages/longMessage.ts';
import type { SignedInDevice } from './terminalAuthenticator.ts';
import type { TerminalOrders } from './terminalOrders.ts';

/** The signalling connection, which ends by itself. */
export interface SignedInConnection {
  readonly remoteAddress: string;
  readonly localAddress: string;
  readonly orders: Pick<TerminalOrders, 'media' | 'playback' | 'command' | 'query' | 'sendPackages'>;
  readonly probe: Pick<LivenessProbe, 'isAlive'>;
  readonly setIdleTimeout: (timeoutMs: number) => void;
  readonly close: () => void;
}

export class SignedInSession implements TerminalSession {
  readonly deviceId: string;
  readonly incarnation: number;
  readonly archiveNumber: number;
  readonly terminal: string;
  readonly edition: Edition;
  readonly remoteAddress: string;
  readonly localAddress: string;
  readonly relaxedMediaAddress: boolean;
  readonly channelsFromZero: boolean;
  readonly #connection: SignedInConnection;

  constructor(device: SignedInDevice, header: Pick<Header, 'terminal' | 'edition'>, connection: SignedInConnection) {
    this.deviceId = device.deviceId;
    this.incarnation = device.incarnation;
    this.archiveNumber = device.archiveNumber;
    this.terminal = header.terminal.canonical;
    this.edition = header.edition;
    this.remoteAddress = connection.remoteAddress;
    this.localAddress = connection.localAddress;
    this.relaxedMediaAddress = device.anyMediaAddress;
    this.channelsFromZero = device.channelsFromZero;
    this.#connection = connection;
  }

  startLive(order: LiveOrder, to: MediaAddress): Promise<CommandResult> {
    return this.#orders.media(liveRequest(this.#onWire(order), to));
  }

  stopLive(order: LiveOrder): Promise<CommandResult> {
    return this.#orders.media(liveStop(this.#onWire(order)));
  }

  startTalk(channel: number, to: MediaAddress): Promise<CommandResult> {
    return this.#orders.media(talkRequest(wireChannel(this, channel), to));
  }

  stopTalk(channel: number): Promise<CommandResult> {
    return this.#orders.media(talkStop(wireChannel(this, channel)));
  }

  /** Not in turn with media: a camera that is to stop turning cannot wait for another channel's picture. */
  ptz(channel: number, order: PtzOrder): Promise<CommandResult> {
    return this.#orders.command(ptzOrder(wireChannel(this, channel), order));
  }

  startPlayback(
    order: PlaybackOrder,
    to: MediaAddress,
    dialled: Promise<unknown>,
  ): Promise<QueryResult<BodyOf<'resources'> | undefined>> {
    return this.#orders.playback(playbackRequest(this.#onWire(order), to), dialled);
  }

  controlPlayback(channel: number, order: PlaybackControlOrder): Promise<CommandResult> {
    return this.#orders.media(playbackControl(wireChannel(this, channel), order));
  }

  command(body: MessageBody, onSent?: (serial: number) => void): Promise<CommandResult> {
    return this.#orders.command(body, onSent);
  }

  query<Kind extends MessageKind>(question: MessageBody, answer: Kind): Promise<QueryResult<BodyOf<Kind>>> {
    return this.#orders.query(question, answer);
  }

  sendPackages(message: LongMessage): Promise<PackagesResult> {
    return this.#orders.sendPackages(message);
  }

  isAlive(): Promise<boolean> {
    return this.#connection.probe.isAlive();
  }

  setIdleTimeout(timeoutMs: number): void {
    this.#connection.setIdleTimeout(timeoutMs);
  }

  close(): void {
    this.#connection.close();
  }

  get #orders() {
    return this.#connection.orders;
  }

  #onWire<Order extends { readonly channel: number; readonly quality: StreamQuality | 'any' }>(order: Order): Order {
    return { ...order, channel: wireChannel(this, order.channel) };
  }
}
