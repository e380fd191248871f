// Checks the installation each minute, and reports problems that begin and end.
import type { HealthCheck } from '../../shared/protocol/api/system/health.ts';
import { HEALTH_KINDS, type HealthKind } from '../../shared/protocol/health/healthWords.ts';
import { Rounds, type RoundsOptions } from '../faults/rounds.ts';
import type { HealthReader } from './healthReader.ts';
import { afterLook, NO_PROBLEM, type SteadyProblem } from './rules/steadyProblem.ts';

const LOOK_EVERY_MS = 60_000;

export interface HealthWatchDeps extends Pick<RoundsOptions, 'runAfter' | 'onFault'> {
  readonly reader: Pick<HealthReader, 'read'>;
  /** Called at every look: an earlier run may have left an event that lasts. */
  readonly tell: (kind: HealthKind, isProblem: boolean) => void;
  /** Missing: a minute. */
  readonly lookEveryMs?: number | undefined;
}

export class HealthWatch {
  readonly #deps: HealthWatchDeps;
  /** Problems by check. */
  #problems: ReadonlyMap<string, SteadyProblem & Pick<HealthCheck, 'kind'>> = new Map();
  readonly #rounds: Rounds;

  constructor(deps: HealthWatchDeps) {
    this.#deps = deps;
    const { lookEveryMs = LOOK_EVERY_MS } = deps;
    this.#rounds = new Rounds({
      ...deps,
      work: () => this.#look(),
      failure: 'the installation could not be looked at',
      intervalMs: lookEveryMs,
      delayMs: lookEveryMs,
    });
  }

  close(): Promise<void> {
    return this.#rounds.close();
  }

  async #look(): Promise<void> {
    const { checks } = await this.#deps.reader.read();
    // Checks of a source that doesn't answer stay as they are; checks that an answering source leaves out no longer exist.
    const silent = new Set(
      checks.filter(({ subject, state }) => subject === '' && state === 'unknown').map(({ kind }) => kind),
    );
    const next = new Map([...this.#problems].filter(([, { kind }]) => silent.has(kind)));
    for (const { id, kind, state } of checks) {
      const before = this.#problems.get(id);
      if (state !== 'unknown') next.set(id, { kind, ...afterLook(before ?? NO_PROBLEM, state) });
      else if (before !== undefined) next.set(id, before);
    }
    this.#problems = next;
    if (this.#rounds.isClosed) return;
    for (const kind of HEALTH_KINDS) this.#tell(kind);
  }

  /** Reports nothing for a kind in doubt: an event of an earlier run goes on until it is known whether its problem does. */
  #tell(kind: HealthKind): void {
    const problems = [...this.#problems.values()].filter((problem) => problem.kind === kind);
    const isProblem = problems.some((problem) => problem.isProblem);
    const isInDoubt = problems.length === 0 || problems.some(({ against }) => against > 0);
    if (isProblem || !isInDoubt) this.#deps.tell(kind, isProblem);
  }
}
