// The demo's data sync: a member fetches two moments of each vehicle's card, and a rule fetches the rest of one camera bit by bit.
import {
  SYNC_CALENDAR_PATH,
  SYNC_REQUEST_PATH,
  SYNC_RULES_PATH,
  type SyncCalendar,
  type SyncRequest,
  type SyncRuleContent,
} from '../../../shared/protocol/api/sync/sync.ts';
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import type { After } from '../../faults/timers.ts';
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
/** So far apart that the five minutes that are missing on each card hide one of them at most. */
const FETCHED_AGO_MS: readonly number[] = [25 * MINUTE_MS, 12 * MINUTE_MS];
const FETCHED_MS = MINUTE_MS / 2;
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
    for (const agoMs of FETCHED_AGO_MS) {
      const fromMs = this.#deps.now() - agoMs;
      const span = { fromMs, toMs: fromMs + FETCHED_MS };
      const request: SyncRequest = { deviceid: device, channels: [CHANNEL], stream: 'any', ...span };
      await this.#deps.administrator.send('POST', SYNC_REQUEST_PATH, request);
    }
  }
}
