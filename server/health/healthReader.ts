// Reads all sources, each for a short time at most, and once for all who ask at the same time.
import type { Health, HealthCheck } from '../../shared/protocol/api/system/health.ts';
import { HEALTH_KINDS } from '../../shared/protocol/health/healthWords.ts';
import { wallMs } from '../../shared/protocol/time.ts';
import type { OnFault } from '../faults/onFault.ts';
import { faultOf } from '../faults/onFault.ts';
import type { After } from '../faults/timers.ts';
import { checkOf, type HealthSource } from './healthSource.ts';
import { worstState } from './rules/figures.ts';

/** A page waits for it, and a watcher of the machine gives up soon too. */
export const SOURCE_WITHIN_MS = 2_000;
const FRESH_MS = 5_000;

export interface HealthReaderDeps {
  readonly sources: readonly HealthSource[];
  readonly now: () => number;
  readonly runAfter: After;
  readonly onFault: OnFault;
}

export class HealthReader {
  readonly #deps: HealthReaderDeps;
  readonly #sources: readonly HealthSource[];
  #reading: Promise<Health> | undefined;
  /** Sources that have not answered yet, however long ago they were asked: they are not asked twice. */
  readonly #asked = new Map<HealthSource, Promise<readonly HealthCheck[]>>();

  constructor(deps: HealthReaderDeps) {
    this.#deps = deps;
    this.#sources = deps.sources.toSorted((left, right) => orderOf(left) - orderOf(right));
  }

  /** Never rejects. At most some seconds old. */
  async read(): Promise<Health> {
    this.#reading ??= this.#readNow();
    const health = await this.#reading;
    const isFresh = Math.abs(this.#deps.now() - health.checkedAtMs) < FRESH_MS;
    if (isFresh) return health;
    this.#reading = this.#readNow();
    return this.#reading;
  }

  async #readNow(): Promise<Health> {
    const checkedAtMs = wallMs(this.#deps.now());
    const checks = (await Promise.all(this.#sources.map((source) => this.#checksOf(source)))).flat();
    return { checkedAtMs, state: worstState(checks.map(({ state }) => state)), checks };
  }

  async #checksOf(source: HealthSource): Promise<readonly HealthCheck[]> {
    const unknown = [checkOf(source.kind, '', { state: 'unknown', values: [], advice: 'check-again' })];
    let cancel = (): void => undefined;
    const late = new Promise<readonly HealthCheck[]>((resolve) => {
      cancel = this.#deps.runAfter(SOURCE_WITHIN_MS, () => resolve(unknown));
    });
    const answer = this.#ask(source).catch((cause: unknown) => {
      this.#deps.onFault(faultOf(`the health of ${source.kind} could not be found out`, cause));
      return unknown;
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      cancel();
    }
  }

  #ask(source: HealthSource): Promise<readonly HealthCheck[]> {
    const asked = this.#asked.get(source);
    if (asked !== undefined) return asked;
    const answer = source.read().finally(() => this.#asked.delete(source));
    this.#asked.set(source, answer);
    return answer;
  }
}

function orderOf({ kind }: HealthSource): number {
  return HEALTH_KINDS.indexOf(kind);
}
