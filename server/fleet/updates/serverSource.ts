// The topic `server`: what the installation says of itself, told to every page, those of links without a session included.
import type { OpenServerInfo } from '../../../shared/protocol/api/system.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { Rounds } from '../../faults/rounds.ts';
import { encode, type MessageBytes, type TopicFeed, type TopicSource } from './topicSource.ts';

export interface ServerSourceDeps {
  readonly read: () => Promise<OpenServerInfo>;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
}

/** Another gateway on the same database may have changed it. */
const READ_INTERVAL_MS = 60_000;
const READ_SOON_MS = 0;

export class ServerSource implements TopicSource {
  readonly #deps: ServerSourceDeps;
  readonly #feeds = new Set<{ isDue: boolean }>();
  #text = '';
  #message: MessageBytes = encode({});
  #rounds: Rounds | undefined;

  constructor(deps: ServerSourceDeps) {
    this.#deps = deps;
  }

  /** Settles when there is something to tell. */
  async start(): Promise<void> {
    await this.#read();
    const { runAfter, onFault } = this.#deps;
    this.#rounds = new Rounds({
      work: () => this.#read(),
      failure: 'what the installation says of itself could not be read',
      intervalMs: READ_INTERVAL_MS,
      delayMs: READ_SOON_MS,
      runAfter,
      onFault,
    });
  }

  changed(): void {
    this.#rounds?.workSoon();
  }

  open(): TopicFeed {
    const feed = { isDue: false };
    this.#feeds.add(feed);
    return {
      snapshot: () => this.#message,
      takeChanges: () => {
        const { isDue } = feed;
        feed.isDue = false;
        return (topics) => (isDue && topics.has('server') ? this.#message : undefined);
      },
      reset: () => undefined,
      close: () => this.#feeds.delete(feed),
    };
  }

  close(): Promise<void> {
    return this.#rounds?.close() ?? Promise.resolve();
  }

  async #read(): Promise<void> {
    const info = await this.#deps.read();
    const text = JSON.stringify(info);
    if (text === this.#text) return;
    this.#text = text;
    this.#message = encode({ type: 'server', info });
    for (const feed of this.#feeds) feed.isDue = true;
  }
}
