// One export as the page follows it: the browser downloads it, the page asks how far it is. Plain TypeScript.

import type { DeviceQuery } from '../../api/device.ts';
import { cancelExport, type ExportState, exportAddress, getExportState } from '../../api/exports.ts';
import type { TimeRange } from './ranges.ts';

const ASK_INTERVAL_MS = 700;
/** The gateway looks the recordings up before it begins. */
const MOST_UNKNOWN = 6;

/** Owns its timer. */
export class ExportJob {
  readonly #source: DeviceQuery;
  readonly #onState: (state: ExportState) => void;
  readonly #job = crypto.randomUUID();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unknown = 0;
  #isOver = false;

  constructor(source: DeviceQuery, onState: (state: ExportState) => void) {
    this.#source = source;
    this.#onState = onState;
  }

  /** Where the browser is to download from. Asked about from now on. */
  start(channels: readonly number[], range: TimeRange): string {
    this.#askLater();
    return exportAddress(this.#source, { channels, ...range, job: this.#job });
  }

  async cancel(): Promise<void> {
    this.#end({ state: 'cancelled', share: 0 });
    await cancelExport(this.#source, this.#job);
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
    const result = await getExportState(this.#source, this.#job);
    if (this.#isOver) return;
    if (!result.ok) {
      this.#unknown++;
      if (this.#unknown > MOST_UNKNOWN) this.#end({ state: 'failed', share: 0 });
      else this.#askLater();
      return;
    }
    if (result.value.state !== 'running') {
      this.#end(result.value);
      return;
    }
    this.#onState(result.value);
    this.#askLater();
  }

  #end(state: ExportState): void {
    if (this.#isOver) return;
    this.close();
    this.#onState(state);
  }
}
