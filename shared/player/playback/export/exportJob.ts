// One export as the page follows it: the browser downloads it, the page asks how far it is. Plain TypeScript.

import type { ApiFailure } from '../../../api/client.ts';
import type { DeviceQuery } from '../../../api/devices/device.ts';
import { cancelExport, exportAddress, getExportState } from '../../../api/recordings/exports.ts';
import type { ExportState } from '../../../protocol/api/recordings.ts';
import type { TimeRange } from '../timeline/ranges.ts';

export type FollowedExport =
  | ExportState
  /** The server did not begin the export, or has withdrawn the permission for it. */
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
  /** Number of the latest question; answers to earlier ones are ignored. */
  #question = 0;
  #isCancelled = false;
  #isOver = false;

  constructor(source: DeviceQuery, onState: (state: FollowedExport) => void) {
    this.#source = source;
    this.#onState = onState;
  }

  /** Returns the address that the browser downloads from. The server is asked about the export from now on. */
  start(channels: readonly number[], range: TimeRange): string {
    this.#askLater();
    return exportAddress(this.#source, { channels, ...range, job: this.#job });
  }

  /** Asks the server to end the export until it has: the server may not have begun it yet. */
  cancel(): void {
    this.#isCancelled = true;
    clearTimeout(this.#timer);
    void this.#ask();
  }

  /** Stops following the export; the download continues. Safe to call twice. */
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

  /** Undefined when the server does not answer, or does not know the export. */
  async #learn(): Promise<FollowedExport | undefined> {
    if (this.#isCancelled) {
      const cancelled = await cancelExport(this.#source, this.#job);
      if (cancelled.ok) return { state: 'cancelled', share: 0 };
    }
    // An export that could not be canceled may be over.
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
