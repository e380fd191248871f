// The demo's reports: six of yesterday and today, and one that is mailed every morning.
import { inBackground } from '../../server/faults/background.ts';
import type { OnFault } from '../../server/faults/onFault.ts';
import {
  REPORT_JOBS_PATH,
  REPORT_SCHEDULES_PATH,
  REPORT_SENDERS_PATH,
  type ReportParameters,
  type ReportRequest,
  type ReportScheduleContent,
  type ReportSenders,
} from '../../shared/protocol/api/reports/reports.ts';
import type { ReportKind } from '../../shared/protocol/reports/reportWords.ts';
import type { DemoSession } from '../members/demoSession.ts';
import { addDemoFences } from './demoFences.ts';

type Session = Pick<DemoSession, 'username' | 'get' | 'send'>;

export interface DemoReportsDeps {
  readonly administrator: Session;
  readonly operator: Session;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
}

/** By then the vehicles' last day has come, and its trips are known. */
const ASKED_AFTER_MS = 30_000;
const KINDS: readonly ReportKind[] = ['trips', 'stops', 'mileage-day', 'fence-visits', 'event-matrix', 'online'];
const MORNING_MINUTE = 6 * 60;

/** Draws the geofences before the vehicles come, and asks for reports when they have said what they did. */
export class DemoReports {
  readonly #deps: DemoReportsDeps;
  #cancel: (() => void) | undefined;

  static async open(deps: DemoReportsDeps): Promise<DemoReports> {
    const reports = new DemoReports(deps);
    try {
      await addDemoFences(deps.administrator);
      await reports.#addSchedule();
    } catch (cause) {
      deps.onFault(new Error("the demo's geofences and schedules could not be set up", { cause }));
    }
    return reports;
  }

  private constructor(deps: DemoReportsDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { runAfter, onFault } = this.#deps;
    this.#cancel = runAfter(ASKED_AFTER_MS, () =>
      inBackground("the demo's reports could not be asked for", this.#ask(), onFault),
    );
  }

  stop(): void {
    this.#cancel?.();
  }

  async #ask(): Promise<void> {
    const { administrator, operator } = this.#deps;
    for (const kind of KINDS) {
      const request: ReportRequest = { kind, parameters: lastTwoDays(Date.now()) };
      await administrator.send('POST', REPORT_JOBS_PATH, request);
      await operator.send('POST', REPORT_JOBS_PATH, request);
    }
  }

  async #addSchedule(): Promise<void> {
    const { administrator } = this.#deps;
    const [sender] = (await administrator.get<ReportSenders>(REPORT_SENDERS_PATH)) ?? [];
    const known = await administrator.get<{ readonly rows: readonly object[] }>(`${REPORT_SCHEDULES_PATH}?limit=100`);
    if (sender === undefined || known === undefined || known.rows.length > 0) return;
    const schedule: ReportScheduleContent = {
      name: 'Trips of the day before',
      enabled: true,
      kind: 'trips',
      parameters: { ...parametersOf(), period: 'yesterday' },
      every: 'daily',
      weekday: 0,
      monthDay: 0,
      minuteOfDay: MORNING_MINUTE,
      format: 'xlsx',
      language: 'en',
      sender: sender.id,
      recipients: [`${administrator.username}@fleet.example`],
    };
    await administrator.send('POST', REPORT_SCHEDULES_PATH, schedule);
  }
}

const TWO_DAYS_MS = 2 * 86_400_000;

function lastTwoDays(nowMs: number): ReportParameters {
  return { ...parametersOf(), period: 'from-to', fromMs: nowMs - TWO_DAYS_MS, toMs: nowMs };
}

function parametersOf(): Omit<ReportParameters, 'period'> {
  return {
    fromMs: 0,
    toMs: 0,
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    deviceGroups: [],
    devices: [],
    eventTypes: [],
    fences: [],
    members: [],
    leastMinutes: 0,
    speedKmh: 0,
  };
}
