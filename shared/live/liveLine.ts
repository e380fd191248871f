// The page's one line of live updates: opened while somebody listens, opened again after a break, with a snapshot.
import { type LiveRequest, type LiveTopic, RELOAD_TOPICS } from '../protocol/api/liveUpdates.ts';
import { type ReadLiveUpdate, readLiveUpdate } from './readMessage.ts';

export type LiveLineState =
  /** Nobody listens. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting' }
  /** Up to date: the snapshot of this connection has come, if a listener needs one. */
  | { readonly kind: 'live' }
  /** Disconnected: what is shown dates from `sinceMs`. */
  | { readonly kind: 'broken'; readonly sinceMs: number };

/** The part of a WebSocket that the line uses. */
export interface LiveSocket {
  readonly readyState: number;
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: (() => void) | null;
}

export interface LiveLineDeps {
  readonly open: () => LiveSocket;
  /** What comes before the first topics: by what the page is let in, if not by its cookie. */
  readonly greeting: () => LiveRequest | undefined;
  /** Runs once after a time; the result cancels it. */
  readonly runAfter: (ms: number, run: () => void) => () => void;
  readonly now: () => number;
  readonly random: () => number;
  /** The gateway did not take the line: the session may have ended. */
  readonly onRefused: () => void;
}

export type LiveListener = (message: ReadLiveUpdate) => void;

/** `readyState` of a socket that sends; a closing one, before its `close` event, only logs a complaint. */
const SOCKET_OPEN = 1;
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;
/** A dead connection isn't reported. After this silence the page requests a snapshot to check it. */
export const SILENCE_MS = 60_000;
/** Time for the gateway to answer. */
export const ANSWER_MS = 10_000;

/** Wait before try number `failures` + 1: doubling, with jitter so that a room full of screens does not come at once. */
export function liveRetryMs(failures: number, random: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS) * (0.5 + random / 2);
}

/** Owns its socket and its timers. */
export class LiveLine {
  readonly #deps: LiveLineDeps;
  readonly #listeners = new Map<LiveListener, ReadonlySet<LiveTopic>>();
  readonly #watchers = new Set<() => void>();
  #state: LiveLineState = { kind: 'idle' };
  #socket: LiveSocket | undefined;
  #isOpen = false;
  #failures = 0;
  /** When the connection was lost; a series of failed attempts counts as one break. */
  #brokenSinceMs: number | undefined;
  #cancelRetry: (() => void) | undefined;
  #cancelSilence: (() => void) | undefined;

  constructor(deps: LiveLineDeps) {
    this.#deps = deps;
  }

  readonly state = (): LiveLineState => this.#state;

  /** For whom shows the state; the result ends it. */
  readonly onState = (run: () => void): (() => void) => {
    this.#watchers.add(run);
    return () => this.#watchers.delete(run);
  };

  /** Subscribes to topics, starting with a snapshot if they have one. Returns the removal. */
  listen(topics: readonly LiveTopic[], listener: LiveListener): () => void {
    this.#listeners.set(listener, new Set(topics));
    if (this.#socket === undefined && this.#cancelRetry === undefined) this.#connect();
    else if (this.#isOpen) this.#watch();
    return () => {
      // Topics only this listener wanted are still sent: changing the list would make the gateway send a snapshot again.
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  /** Tries at once instead of at the next due time: the network is back, or somebody signed in again. */
  retryNow(): void {
    if (this.#listeners.size === 0) return;
    if (this.#socket === undefined) {
      this.#failures = 0;
      this.#connect();
    } else if (this.#isOpen) this.#probe();
  }

  /** Safe to call twice; the next listener opens it again. */
  close(): void {
    this.#drop();
    this.#failures = 0;
    this.#brokenSinceMs = undefined;
    this.#become({ kind: 'idle' });
  }

  #connect(): void {
    this.#drop();
    const socket = this.#deps.open();
    this.#socket = socket;
    if (this.#brokenSinceMs === undefined) this.#become({ kind: 'connecting' });
    socket.onopen = () => {
      this.#isOpen = true;
      const greeting = this.#deps.greeting();
      if (greeting !== undefined) this.#say(greeting);
      this.#watch();
      this.#setDeadline(SILENCE_MS, () => this.#probe());
      if (!this.#wantsSnapshot()) this.#arrived();
    };
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onclose = () => this.#lost();
  }

  /** Sends the topics of all listeners; the gateway answers with a snapshot. */
  #watch(): void {
    const topics = [...new Set([...this.#listeners.values()].flatMap((each) => [...each]))].sort();
    this.#say({ type: 'watch', topics });
  }

  #say(request: LiveRequest): void {
    if (this.#socket?.readyState === SOCKET_OPEN) this.#socket.send(JSON.stringify(request));
  }

  #take(data: unknown): void {
    const message = typeof data === 'string' ? readLiveUpdate(data) : undefined;
    if (message === undefined) return;
    this.#setDeadline(SILENCE_MS, () => this.#probe());
    if (message.type === 'error') this.#deps.onRefused();
    if (BEGINNINGS.has(message.type)) this.#arrived();
    for (const [listener, topics] of [...this.#listeners]) if (concerns(message, topics)) listener(message);
  }

  #wantsSnapshot(): boolean {
    return [...this.#listeners.values()].some((topics) =>
      [...topics].some((topic) => topic !== 'changed' && topic !== 'popups'),
    );
  }

  #arrived(): void {
    this.#failures = 0;
    this.#brokenSinceMs = undefined;
    this.#become({ kind: 'live' });
  }

  /** Checks the connection. Without a listener for snapshots there is no answer to wait for. */
  #probe(): void {
    if (!this.#wantsSnapshot()) return;
    this.#watch();
    this.#setDeadline(ANSWER_MS, () => this.#lost());
  }

  #setDeadline(withinMs: number, otherwise: () => void): void {
    this.#cancelSilence?.();
    this.#cancelSilence = this.#deps.runAfter(withinMs, otherwise);
  }

  #lost(): void {
    const wasOpen = this.#isOpen;
    this.#drop();
    this.#failures++;
    this.#brokenSinceMs ??= this.#deps.now();
    this.#become({ kind: 'broken', sinceMs: this.#brokenSinceMs });
    const waitMs = liveRetryMs(this.#failures, this.#deps.random());
    this.#cancelRetry = this.#deps.runAfter(waitMs, () => this.#connect());
    if (!wasOpen) this.#deps.onRefused();
  }

  #drop(): void {
    this.#cancelRetry?.();
    this.#cancelSilence?.();
    this.#cancelRetry = undefined;
    this.#cancelSilence = undefined;
    this.#isOpen = false;
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket === undefined) return;
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  #become(state: LiveLineState): void {
    if (state.kind === this.#state.kind) return;
    this.#state = state;
    for (const run of [...this.#watchers]) run();
  }
}

/** What a connection begins with. */
const BEGINNINGS: ReadonlySet<ReadLiveUpdate['type']> = new Set([
  'snapshot',
  'events',
  'notifications',
  'server',
  ...RELOAD_TOPICS,
]);

function concerns(message: ReadLiveUpdate, topics: ReadonlySet<LiveTopic>): boolean {
  switch (message.type) {
    case 'snapshot':
    case 'changes':
      if (message.eventCounts !== undefined) return topics.has('eventcounts');
      return topics.has('devices') || topics.has('counts');
    case 'events':
      return topics.has('events');
    case 'notifications':
    case 'fences':
    case 'reports':
    case 'firmware':
    case 'sync':
    case 'netflow':
    case 'backups':
    case 'server':
      return topics.has(message.type);
    case 'popups':
      return topics.has('popups');
    case 'changed':
      return topics.has('changed');
    case 'error':
      return false;
  }
}
