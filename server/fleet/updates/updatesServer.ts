// The WebSocket of the live updates: who may subscribe, and until when.
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { LIVE_UPDATES_PATH, type LiveWatch, parseLiveRequest } from '../../../shared/protocol/api/liveUpdates.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { AccessWatch, type StreamAccess } from '../../sockets/accessWatch.ts';
import { Heartbeat, VIEWER_PING_LIMIT } from '../../sockets/heartbeat.ts';
import { limitMessages, UPDATE_RATES } from '../../sockets/messageRate.ts';
import type { Refusal } from '../../sockets/refusal.ts';
import type { SocketEndpoint } from '../../sockets/socketEndpoint.ts';
import type { LiveUpdates } from './liveUpdates.ts';
import { encode, PUBLIC_TOPICS, type Topics } from './topicSource.ts';
import { UpdateViewer } from './updateViewer.ts';

/** By what a page proves its session: a cookie, or the token of a frame whose cookies the browser blocks. */
export interface SessionProof {
  readonly kind: 'cookie' | 'frame-token';
  readonly secret: string;
}

/** Whose screen it is. */
interface UpdateSubscriber {
  /** Tells one session from another; it may be proved in several ways. */
  readonly session: string;
  readonly memberGroup: number | undefined;
  /** What the member may be told of. */
  readonly topics: Topics;
}

export interface UpdatesServerDeps {
  readonly updates: LiveUpdates;
  /** By what the request itself proves a session; a frame token comes as the socket's first message. */
  readonly proofOf: (request: IncomingMessage) => SessionProof | undefined;
  /** Undefined: not signed in, or no longer. */
  readonly recognise: (proof: SessionProof) => Promise<UpdateSubscriber | undefined>;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly now?: () => number;
  readonly onLimit?: OnLimit;
  readonly onFault: (error: Error) => void;
}

export interface UpdatesServer {
  readonly endpoint: SocketEndpoint;
  /** Asks nobody any more; the sockets are closed by whoever opened them. */
  close(): void;
}

/**
 * Open live update connections of one session, by its cookie and by its frame tokens: some tabs with some pages each. The next is refused
 * with `slow-down`.
 */
export const SESSION_SOCKETS_LIMIT: Limit = { name: 'updates.sockets.session', max: 50 };
/**
 * Time until the first message of a page, which identifies it; a page speaks as soon as it is connected. The page is refused as not signed
 * in.
 */
export const FIRST_MESSAGE_LIMIT: Limit = { name: 'updates.first-message-seconds.socket', max: 10 };

const NOT_SIGNED_IN = {
  code: 'not-signed-in',
  message: "You aren't signed in, or your session has ended. Sign in again.",
} as const;
const TOO_MANY = { code: 'slow-down', message: 'Too many pages are open. Close some and try again.' } as const;

interface UpdateSubscription {
  readonly viewer: UpdateViewer;
  memberGroup: number | undefined;
  leave: () => void;
  /** Assigned to its first member group. Before that, a change of the session's group must not move it. */
  isPlaced: boolean;
  isGone: boolean;
}

export function createUpdatesServer(deps: UpdatesServerDeps): UpdatesServer {
  const heartbeat = new Heartbeat(VIEWER_PING_LIMIT, deps);
  const { now = Date.now } = deps;
  const connections = new UpdateConnections(deps);
  return {
    endpoint: {
      path: LIVE_UPDATES_PATH,
      maxMessageBytes: UPDATE_RATES.messageBytes.max,
      serve: ({ socket, request }) => {
        heartbeat.add(socket);
        limitMessages(socket, UPDATE_RATES, { ...deps, now, refuse });
        return connections.admit(socket, deps.proofOf(request));
      },
    },
    close: () => {
      heartbeat.close();
      connections.close();
    },
  };
}

/** Knows which screens belong to which session, and moves them when the session changes its group. */
class UpdateConnections {
  readonly #deps: UpdatesServerDeps;
  readonly #accessWatch: AccessWatch;
  readonly #bySession = new Map<string, Set<UpdateSubscription>>();

  constructor(deps: UpdatesServerDeps) {
    this.#deps = deps;
    this.#accessWatch = new AccessWatch(deps);
  }

  async admit(socket: WebSocket, cookie: SessionProof | undefined): Promise<void> {
    const viewer = new UpdateViewer(outletOf(socket), this.#deps);
    const subscription: UpdateSubscription = {
      viewer,
      memberGroup: undefined,
      leave: () => undefined,
      isPlaced: false,
      isGone: false,
    };
    // The page sends its topics as soon as it is connected, before the database has identified its session. Topics sent
    // before it is assigned get their snapshot at once; later ones get it with the next tick.
    let hasBegun = false;
    const begin = (): void => {
      if (hasBegun || !subscription.isPlaced || !viewer.isWatching) return;
      hasBegun = true;
      this.#deps.updates.begin(subscription.memberGroup, viewer);
    };
    const proof = await this.#listen(socket, cookie, ({ topics }) => {
      viewer.watch(topics);
      begin();
    });
    if (proof === 'public') {
      await this.#admitPublic(socket, subscription);
      return begin();
    }
    const subscriber = proof === undefined ? undefined : await this.#deps.recognise(proof);
    if (socket.readyState !== socket.OPEN) return;
    if (proof === undefined || subscriber === undefined) return refuse(socket, NOT_SIGNED_IN);
    const { session } = subscriber;
    const subscriptions = this.#bySession.get(session) ?? new Set();
    if (subscriptions.size >= SESSION_SOCKETS_LIMIT.max) {
      this.#deps.onLimit?.(SESSION_SOCKETS_LIMIT);
      return refuse(socket, TOO_MANY);
    }
    this.#bySession.set(session, subscriptions);
    subscriptions.add(subscription);
    const stopWatching = this.#accessWatch.add(
      [`${proof.kind} ${proof.secret}`],
      () => this.#ask(proof),
      (refusal) => refuse(socket, refusal),
    );
    socket.on('close', () => {
      stopWatching();
      subscription.isGone = true;
      subscriptions.delete(subscription);
      if (subscriptions.size === 0 && this.#bySession.get(session) === subscriptions) this.#bySession.delete(session);
      subscription.leave();
    });
    viewer.allow(subscriber.topics);
    await this.#place(subscription, subscriber.memberGroup);
    subscription.isPlaced = true;
    begin();
  }

  /** Nothing of these topics needs a session, so that nobody has to be asked again; the sockets of an address are counted. */
  async #admitPublic(socket: WebSocket, subscription: UpdateSubscription): Promise<void> {
    if (socket.readyState !== socket.OPEN) return;
    socket.on('close', () => {
      subscription.isGone = true;
      subscription.leave();
    });
    subscription.viewer.allow(PUBLIC_TOPICS);
    await this.#place(subscription, undefined);
    subscription.isPlaced = true;
  }

  close(): void {
    this.#accessWatch.close();
  }

  /**
   * Waits for the proof of the page's session, which the first message may contain; undefined if none comes. `public`: the page
   * wants none.
   */
  #listen(
    socket: WebSocket,
    cookie: SessionProof | undefined,
    onWatch: (watch: LiveWatch) => void,
  ): Promise<SessionProof | 'public' | undefined> {
    return new Promise((resolve) => {
      const stopWaiting = this.#deps.runAfter(FIRST_MESSAGE_LIMIT.max * 1_000, () => {
        this.#deps.onLimit?.(FIRST_MESSAGE_LIMIT);
        resolve(undefined);
      });
      socket.on('close', () => {
        stopWaiting();
        resolve(undefined);
      });
      socket.on('message', (data, isBinary) => {
        const request = isBinary ? undefined : parseLiveRequest(String(data));
        if (request === undefined) return;
        stopWaiting();
        switch (request.type) {
          case 'session':
            return resolve({ kind: 'frame-token', secret: request.sid });
          case 'public':
            return resolve('public');
          case 'watch':
            resolve(cookie);
            return onWatch(request);
        }
      });
    });
  }

  async #ask(proof: SessionProof): Promise<StreamAccess> {
    const subscriber = await this.#deps.recognise(proof);
    if (subscriber === undefined) return { ok: false, ...NOT_SIGNED_IN };
    for (const subscription of this.#bySession.get(subscriber.session) ?? []) {
      subscription.viewer.allow(subscriber.topics);
      if (!subscription.isPlaced || subscription.memberGroup === subscriber.memberGroup) continue;
      await this.#place(subscription, subscriber.memberGroup);
      subscription.viewer.startAnew();
    }
    return { ok: true };
  }

  async #place(subscription: UpdateSubscription, memberGroup: number | undefined): Promise<void> {
    const leave = await this.#deps.updates.join(memberGroup, subscription.viewer);
    if (subscription.isGone) return leave();
    subscription.leave();
    subscription.leave = leave;
    subscription.memberGroup = memberGroup;
  }
}

function outletOf(socket: WebSocket) {
  return {
    get heldBytes(): number {
      return socket.bufferedAmount;
    },
    send: (message: Uint8Array<ArrayBuffer>): void => {
      if (socket.readyState === socket.OPEN) socket.send(message, { binary: false });
    },
  };
}

/** Says why, then closes: a browser shows nothing of a refused handshake. */
function refuse(socket: WebSocket, { code, message }: Refusal): void {
  if (socket.readyState === socket.OPEN) socket.send(encode({ type: 'error', code, message }), { binary: false });
  socket.close(1008, code);
}
