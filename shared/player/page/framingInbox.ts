// What the framing page asks, from the moment that this page's script runs: a request that comes while the page is still
// loading waits for its tiles.
import { answerFramingRequest, type FramedPlayer, type FramingRequest, readFramingRequest } from './framing.ts';

interface Asked {
  readonly request: FramingRequest;
  readonly origin: string;
}

/** Requests are few; if more are sent before they can be answered, they are dropped. */
const MOST_WAITING = 32;

export class FramingInbox {
  readonly #scope: Window;
  readonly #waiting: Asked[] = [];
  #players: ReadonlyMap<number, FramedPlayer> | undefined;

  constructor(scope: Window = window) {
    this.#scope = scope;
    if (scope.parent !== scope) scope.addEventListener('message', (event) => this.#receive(event));
  }

  /** From now on requests go to these players, by channel; until the result is called. */
  serve(players: ReadonlyMap<number, FramedPlayer>): () => void {
    this.#players = players;
    for (const waiting of this.#waiting.splice(0)) void this.#answer(waiting, players);
    return () => {
      if (this.#players === players) this.#players = undefined;
    };
  }

  #receive({ source, origin, data }: MessageEvent): void {
    // Only the page that frames this one; `frame-ancestors` has settled which pages may.
    if (source !== this.#scope.parent || origin === 'null') return;
    const request = readFramingRequest(data);
    if (request === undefined) return;
    if (this.#players !== undefined) void this.#answer({ request, origin }, this.#players);
    else if (this.#waiting.length < MOST_WAITING) this.#waiting.push({ request, origin });
  }

  async #answer({ request, origin }: Asked, players: ReadonlyMap<number, FramedPlayer>): Promise<void> {
    const ordered = new Map([...players].sort(([left], [right]) => left - right));
    this.#scope.parent.postMessage(await answerFramingRequest(request, ordered), origin);
  }
}
