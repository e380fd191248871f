// The method of fetching for each device model. Remembered for a day: a device may refuse because it is busy.
import type { SyncMethod } from '../../../shared/protocol/sync/syncWords.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { SyncDevice } from '../../store/sync/syncSources.ts';

interface Known {
  readonly method: SyncMethod;
  readonly isSlow: boolean;
  readonly untilMs: number;
}

export interface MethodsDeps {
  readonly now: () => number;
  readonly onLimit: OnLimit;
}

/** Models of devices whose way of fetching is remembered. The longest unchanged are forgotten. */
export const KNOWN_METHODS_LIMIT: Limit = { name: 'sync.methods.process', max: 5_000 };
const DAY_MS = 86_400_000;

export class Methods {
  readonly #deps: MethodsDeps;
  /** The known methods, the longest unchanged first. */
  readonly #known = new Map<string, Known>();

  constructor(deps: MethodsDeps) {
    this.#deps = deps;
  }

  /** FTP, unless it has failed. */
  of(device: SyncDevice): SyncMethod {
    return this.#find(device)?.method ?? 'ftp';
  }

  /** Whether the model leaves pictures out when it plays fast. */
  isSlow(device: SyncDevice): boolean {
    return this.#find(device)?.isSlow ?? false;
  }

  note(device: SyncDevice, method: SyncMethod): void {
    this.#remember(device, { method, isSlow: this.isSlow(device) });
  }

  noteSlow(device: SyncDevice): void {
    this.#remember(device, { method: this.of(device), isSlow: true });
  }

  #find(device: SyncDevice): Known | undefined {
    const known = this.#known.get(keyOf(device));
    return known !== undefined && known.untilMs > this.#deps.now() ? known : undefined;
  }

  #remember(device: SyncDevice, known: Omit<Known, 'untilMs'>): void {
    const key = keyOf(device);
    this.#known.delete(key);
    if (this.#known.size >= KNOWN_METHODS_LIMIT.max) {
      const [oldest] = this.#known.keys();
      if (oldest !== undefined) this.#known.delete(oldest);
      this.#deps.onLimit(KNOWN_METHODS_LIMIT);
    }
    this.#known.set(key, { ...known, untilMs: this.#deps.now() + DAY_MS });
  }
}

function keyOf({ model, incarnation }: SyncDevice): string {
  return model === '' ? `device ${incarnation}` : `model ${model}`;
}
