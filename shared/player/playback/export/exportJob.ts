// One export as the page follows it: the browser downloads it, the page asks how far it is. Plain TypeScript.

import type { ApiFailure } from '../../../api/client.ts';
import type { DeviceQuery } from '../../../api/devices/device.ts';
import { cancelExport, exportAddress, getExportState } from '../../../api/recordings/exports.ts';
import type { ExportState } from '../../../protocol/api/recordings.ts';
import type { TimeRange } from '../timeline/ranges.ts';

export type FollowedExport =
  | ExportState
  /** The server did not begin it, or has taken the right to it away. */
  | { readonly state: 'refused'; readonly failure: ApiFailure };

const ASK_INTERVAL_MS = 700;
/** 14 s: the gateway looks the recordings up before it begins, and may be out of reach for a moment. */
const MOST_UNKNOWN = 20;
const NOT_BEGUN = 'no-such-export';

/** Owns its timer. */
export class ExportJob {
  readonly #source: DeviceQuery;
  readonly #onState: (state: FollowedExport) => void;
  readonly #job = crypto.randomUUID();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unknown = 0;
  /** Of two questions that are under way only the later one is listened to. */
  #question = 0;
  #isCancelled = false;
  #isOver = false;

  constructor(source: DeviceQuery, onState: (state: FollowedExport) => void) {
    this.#source = source;
    this.#onState = onState;
  }

  /** Where the browser is to download from. Asked about from now on. */
  start(channels: readonly number[], range: TimeRange): string {
    this.#askLater();
    return exportAddress(this.#source, { channels, ...range, job: this.#job });
  }

  /** Asks the server to end it, again and again until it has: it may not have begun it yet. */
  cancel(): void {
    this.#isCancelled = true;
    clearTimeout(this.#timer);
    void this.#ask();
  }

  /** The download goes on; nobody follows it. Safe to call twice. */
  close(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #askLater(): void {
    this.#timer = setTimeout(() => void this.#ask(), ASK_INTERVAL_MS);
  }

  async #ask(): Promise<void> {
    const question = ++this.#question;
    const state = await this.#learn();
    if (this.#isOver || question !== this.#question) return;
    if (state === undefined && ++this.#unknown > MOST_UNKNOWN) this.#end({ state: 'failed', share: 0 });
    else if (state !== undefined && !isUnderWay(state)) this.#end(state);
    else {
      if (state !== undefined) this.#onState(state);
      this.#askLater();
    }
  }

  /** Undefined when the server does not say, or does not know it. */
  async #learn(): Promise<FollowedExport | undefined> {
    if (this.#isCancelled) {
      const cancelled = await cancelExport(this.#source, this.#job);
      if (cancelled.ok) return { state: 'cancelled', share: 0 };
    }
    // What could not be cancelled may be over.
    const result = await getExportState(this.#source, this.#job);
    if (result.ok) return result.value;
    return isRefusal(result) ? { state: 'refused', failure: result } : undefined;
  }

  #end(state: FollowedExport): void {
    this.close();
    this.#onState(state);
  }
}

export function isUnderWay({ state }: FollowedExport): boolean {
  return state === 'waiting' || state === 'running';
}

function isRefusal(failure: ApiFailure): boolean {
  return failure.kind === 'http' && failure.code !== NOT_BEGUN && failure.status < 500;
}
