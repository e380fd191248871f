// The demo's data sync: a member fetches two moments of each vehicle's card, and a rule fetches the rest of one camera bit by bit.
import { inBackground } from '../../server/faults/background.ts';
import type { OnFault } from '../../server/faults/onFault.ts';
import type { After } from '../../server/faults/timers.ts';
import {
  SYNC_CALENDAR_PATH,
  SYNC_REQUEST_PATH,
  SYNC_RULES_PATH,
  type SyncCalendar,
  type SyncRequest,
  type SyncRuleContent,
} from '../../shared/protocol/api/sync/sync.ts';
import { cardFiles } from '../card/cardContents.ts';
import type { DemoSession } from '../members/demoSession.ts';
import { Looks } from './looks.ts';

export interface DemoSyncDeps {
  readonly administrator: Pick<DemoSession, 'get' | 'send'>;
  readonly devices: readonly string[];
  readonly now: () => number;
  readonly runAfter: After;
  readonly onFault: OnFault;
}

const MINUTE_MS = 60_000;
const FETCHED_AGO_MS: readonly number[] = [25 * MINUTE_MS, 12 * MINUTE_MS];
const FETCHED_MS = MINUTE_MS / 2;
/** Vehicles' clocks are some seconds off. */
const MARGIN_MS = MINUTE_MS / 2;
/** Steps of a minute that lead past the minutes that are missing on each card. */
const MAX_STEPS = 8;
const CHANNEL = 1;

/** Slow and little: the browser that shows it has the same processor. */
const RULE: SyncRuleContent = {
  name: 'Road cameras',
  enabled: true,
  devices: [],
  deviceGroups: [],
  channels: [CHANNEL],
  stream: 'any',
  choice: 'all',
  eventTypes: [],
  hours: [],
  daysBack: 1,
  wifi: true,
  lan: true,
  mobile: true,
  concurrency: 2,
  kilobitsPerSecond: 4_000,
  megabytesADay: 100,
  keptDays: 0,
  priority: 5,
};

/** Beginnings of what is fetched. A vehicle refuses to upload where it has nothing, and would not be asked to upload again. */
export function fetchedMoments(nowMs: number): readonly number[] {
  return FETCHED_AGO_MS.flatMap((agoMs) => {
    const earlier = Array.from({ length: MAX_STEPS }, (_, step) => nowMs - agoMs - step * MINUTE_MS);
    return earlier.find((fromMs) => isOnCard(fromMs, nowMs)) ?? [];
  });
}

function isOnCard(fromMs: number, nowMs: number): boolean {
  const span = { startMs: fromMs - MARGIN_MS, endMs: fromMs + FETCHED_MS + MARGIN_MS };
  const recordedMs = cardFiles({}, span, nowMs)
    .map(({ startMs, endMs }) => Math.min(endMs, span.endMs) - Math.max(startMs, span.startMs))
    .reduce((sum, ms) => sum + ms, 0);
  return recordedMs === span.endMs - span.startMs;
}

export class DemoSync {
  readonly #deps: DemoSyncDeps;
  readonly #looks: Looks;

  constructor(deps: DemoSyncDeps) {
    this.#deps = deps;
    this.#looks = new Looks(deps.runAfter);
  }

  start(): void {
    inBackground("the demo's data sync could not be set up", this.#run(), this.#deps.onFault);
  }

  stop(): void {
    this.#looks.stop();
  }

  /** What an earlier run or somebody has left stays as it is. */
  async #run(): Promise<void> {
    const { administrator, devices } = this.#deps;
    const rules = await administrator.get<{ readonly rows: readonly object[] }>(SYNC_RULES_PATH);
    if (rules === undefined || rules.rows.length > 0) return;
    const waiting = new Set(devices);
    const isListed = await this.#looks.until(async () => {
      for (const device of waiting) {
        if (!(await this.#hasListed(device))) continue;
        waiting.delete(device);
        await this.#request(device);
      }
      return waiting.size === 0;
    });
    if (isListed) await administrator.send('POST', SYNC_RULES_PATH, RULE);
  }

  async #hasListed(device: string): Promise<boolean> {
    const month = new Date(this.#deps.now()).toISOString().slice(0, 7);
    const query = new URLSearchParams({ deviceid: device, month, timeZone: 'UTC' });
    const calendar = await this.#deps.administrator.get<SyncCalendar>(`${SYNC_CALENDAR_PATH}?${query}`);
    return calendar !== undefined && calendar.listedAtMs > 0;
  }

  async #request(device: string): Promise<void> {
    for (const fromMs of fetchedMoments(this.#deps.now())) {
      const span = { fromMs, toMs: fromMs + FETCHED_MS };
      const request: SyncRequest = { deviceid: device, channels: [CHANNEL], stream: 'any', ...span };
      await this.#deps.administrator.send('POST', SYNC_REQUEST_PATH, request);
    }
  }
}
