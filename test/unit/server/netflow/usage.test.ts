import { beforeEach, describe, expect, it } from 'vitest';
import { Strangers } from '../../../../server/netflow/counting/strangers.ts';
import { Usage } from '../../../../server/netflow/usage.ts';
import type { HourUse } from '../../../../server/store/netflow/netflowHours.ts';
import type { DeviceUseRow, MeteredDevice, ToldRow } from '../../../../server/store/netflow/netflowUse.ts';
import type { WithheldRow } from '../../../../server/store/netflow/withheldTimes.ts';

const START_MS = Date.UTC(2026, 10, 23, 10, 30);
const DEVICE: MeteredDevice = {
  incarnation: 7,
  deviceId: 'BUS1',
  archiveNumber: 70,
  timeZone: 'UTC',
  plan: 1,
  megabytes: 1,
  resetDay: 1,
  planTimeZone: 'UTC',
  action: 'no-video',
  liftedUntilMs: 0,
  toldFromMs: 0,
  toldPercent: 0,
  toldForecast: false,
  memberGroups: [3],
};

/** Keeps what is written as the database would, and can be away. */
class MemoryStore {
  readonly hours = new Map<string, HourUse>();
  readonly rows = new Map<number, DeviceUseRow>();
  readonly told: ToldRow[] = [];
  readonly withheld = new Map<number, WithheldRow>();
  metered = [DEVICE];
  isAway = false;
  writes = 0;
  /** What happens while a sum is read. */
  onSum = (): void => undefined;

  devices = async () => this.metered;
  deviceRows = async () => [...this.rows.values()];
  hoursFrom = async (hourMs: number) => [...this.hours.values()].filter((hour) => hour.hourMs >= hourMs);
  noteTold = async (told: readonly ToldRow[]) => void this.told.push(...told);

  sumsSince = async (incarnations: readonly number[], fromMs: number) => {
    this.onSum();
    return new Map(incarnations.map((incarnation) => [incarnation, this.#sumSince(incarnation, fromMs)]));
  };

  #sumSince(incarnation: number, fromMs: number) {
    const hours = [...this.hours.values()].filter((hour) => hour.incarnation === incarnation && hour.hourMs >= fromMs);
    const sum = (side: 'received' | 'sent') => hours.reduce((all, hour) => add(all, hour[side]), zeros());
    return { received: sum('received'), sent: sum('sent') };
  }

  write = async (
    hours: readonly HourUse[],
    devices: readonly DeviceUseRow[],
    withheld: readonly WithheldRow[] = [],
  ) => {
    if (this.isAway) throw new Error('away');
    this.writes++;
    for (const hour of hours) this.hours.set(`${hour.incarnation}/${hour.hourMs}`, hour);
    for (const row of devices) this.rows.set(row.incarnation, row);
    for (const row of withheld) this.withheld.set(row.fromMs, row);
  };

  get writtenBytes(): number {
    return [...this.hours.values()].reduce((sum, { received, sent }) => sum + total(received) + total(sent), 0);
  }
}

const zeros = (): number[] => Array.from({ length: 9 }, () => 0);
const total = (bytes: readonly number[]): number => bytes.reduce((sum, each) => sum + each, 0);
const add = (left: readonly number[], right: readonly number[]): number[] =>
  left.map((each, at) => each + (right[at] ?? 0));

let store: MemoryStore;
let nowMs: number;
let events: unknown[];
let changed: string[];
let written: number[];
beforeEach(() => {
  store = new MemoryStore();
  nowMs = START_MS;
  [events, changed, written] = [[], [], []];
});

function create(): Usage {
  return new Usage({
    store,
    overheadPercent: 0,
    now: () => nowMs,
    runAfter: () => () => undefined,
    onFault: (error) => {
      throw error;
    },
    onLimit: () => undefined,
    onPlanEvent: ({ deviceId }, event) => events.push({ deviceId, ...event }),
    onWritten: (memberGroup) => written.push(memberGroup),
  });
}

async function start(): Promise<Usage> {
  const usage = create();
  usage.subscribe((deviceId) => changed.push(deviceId));
  await usage.start();
  return usage;
}

const receive = (usage: Usage, receivedBytes: number): void => {
  usage.meter.note(7, 'live', { receivedBytes, sentBytes: 0 });
  usage.take();
};

describe('data usage', () => {
  it('is written by hour and kind, and tells the member groups that see the device', async () => {
    const usage = await start();
    usage.meter.note(7, 'position', { receivedBytes: 10, sentBytes: 1 });
    usage.meter.note(7, 'live', { receivedBytes: 100, sentBytes: 0 });
    await usage.write();
    const [hour] = [...store.hours.values()];
    expect(hour).toMatchObject({ incarnation: 7, hourMs: Date.UTC(2026, 10, 23, 10) });
    expect([hour?.received[1], hour?.sent[1], hour?.received[2]]).toEqual([10, 1, 100]);
    expect(store.rows.get(7)).toMatchObject({ receivedBytes: 110, sentBytes: 1, todayBytes: 111 });
    expect(written).toEqual([3]);
  });

  it('is not lost while the database is away, and counts once when an answer was lost', async () => {
    const usage = await start();
    receive(usage, 100);
    store.isAway = true;
    await expect(usage.write()).rejects.toThrow('away');
    receive(usage, 50);
    nowMs += 3_600_000;
    receive(usage, 25);
    store.isAway = false;
    await usage.write();
    await usage.write();
    expect(store.writtenBytes).toBe(175);
    expect(store.rows.get(7)?.receivedBytes).toBe(175);
  });

  it('goes on after a restart in the same hour, and in the next period begins anew', async () => {
    const first = await start();
    receive(first, 100);
    await first.close();
    const second = await start();
    receive(second, 11);
    await second.close();
    expect(store.writtenBytes).toBe(111);
    expect(store.rows.get(7)?.receivedBytes).toBe(111);
    nowMs = Date.UTC(2026, 11, 1, 0, 1);
    const third = await start();
    receive(third, 5);
    await third.close();
    expect(store.rows.get(7)).toMatchObject({ receivedBytes: 5, todayBytes: 5, fromMs: Date.UTC(2026, 11, 1) });
  });

  it('is added up anew when a plan with another reset day is given, what is not written yet included', async () => {
    const usage = await start();
    receive(usage, 100);
    await usage.write();
    receive(usage, 20);
    store.metered = [{ ...DEVICE, plan: 2, resetDay: 23 }];
    await usage.reload();
    receive(usage, 3);
    await usage.close();
    expect(store.rows.get(7)).toMatchObject({ receivedBytes: 123, fromMs: Date.UTC(2026, 10, 23) });
  });

  it('is known of a device that nobody told of, from its first byte', async () => {
    store.metered = [];
    const usage = await start();
    store.metered = [DEVICE];
    receive(usage, 100);
    await usage.write();
    receive(usage, 20);
    await usage.close();
    expect(store.rows.get(7)).toMatchObject({ receivedBytes: 120, sentBytes: 0, todayBytes: 120 });
    expect(store.writtenBytes).toBe(120);
  });
});

describe('a period that was changed', () => {
  const FULL = { ...DEVICE, resetDay: 23 };
  const isAway = (): never => {
    throw new Error('away');
  };

  /** Without a plan: 5 MB earlier in the month, and 0.3 MB on the 23rd. */
  async function startWithUse(): Promise<Usage> {
    store.metered = [{ ...DEVICE, plan: 0 }];
    nowMs = Date.UTC(2026, 10, 20, 12);
    const usage = await start();
    receive(usage, 5_000_000);
    await usage.write();
    nowMs = START_MS;
    receive(usage, 300_000);
    await usage.write();
    return usage;
  }

  it('is judged once its own sums are known', async () => {
    const usage = await startWithUse();
    store.metered = [FULL];
    store.onSum = () => usage.take();
    await usage.reload();
    expect(events).toEqual([]);
    expect(changed).toEqual([]);
    receive(usage, 200_000);
    expect(events).toEqual([{ deviceId: 'BUS1', type: 'data-plan-level', percent: 50 }]);
  });

  it('is added up later where the database was away, for every device that waits for it', async () => {
    const usage = await startWithUse();
    store.metered = [FULL, { ...FULL, incarnation: 8, deviceId: 'BUS2', plan: 2 }];
    store.onSum = isAway;
    await expect(usage.reload()).rejects.toThrow('away');
    receive(usage, 1_000);
    expect(events).toEqual([]);
    await expect(usage.write()).rejects.toThrow('away');
    expect(store.rows.get(7)?.receivedBytes).toBe(5_300_000);
    store.onSum = () => undefined;
    await usage.write();
    expect(store.rows.get(7)).toMatchObject({ receivedBytes: 301_000, fromMs: Date.UTC(2026, 10, 23) });
    expect(store.rows.get(8)).toMatchObject({ receivedBytes: 0, fromMs: Date.UTC(2026, 10, 23) });
  });

  it('begins from nothing where it begins while it is added up', async () => {
    const usage = await startWithUse();
    store.metered = [{ ...FULL, resetDay: 24, megabytes: 10 }];
    store.onSum = () => {
      nowMs = Date.UTC(2026, 10, 24);
      usage.take();
    };
    await usage.reload();
    await usage.write();
    expect(store.rows.get(7)).toMatchObject({ receivedBytes: 0, fromMs: Date.UTC(2026, 10, 24) });
  });

  it('is not held against the forecast of the period before', async () => {
    const usage = await startWithUse();
    expect(store.rows.get(7)?.forecastBytes).toBeGreaterThan(1_000_000);
    nowMs = Date.UTC(2026, 10, 29, 12);
    await usage.write();
    store.metered = [{ ...DEVICE, resetDay: 29, megabytes: 5 }];
    await usage.reload();
    expect(events).toEqual([]);
  });
});

describe('a start that fails', () => {
  it('leaves the sums that were written as they are', async () => {
    const first = await start();
    receive(first, 100);
    await first.close();
    const before = store.writes;
    const second = create();
    store.deviceRows = () => Promise.reject(new Error('away'));
    await expect(second.start()).rejects.toThrow('away');
    await second.close();
    expect(store.writes).toBe(before);
    expect(store.rows.get(7)?.receivedBytes).toBe(100);
  });
});

describe('a device that is not known', () => {
  const counted = (incarnation: number) => ({ incarnation, received: [3], sent: [1] });

  it('is asked for once, and has its bytes since it was met', () => {
    const strangers = new Strangers(() => undefined);
    expect(strangers.meet(counted(7))).toBe(true);
    expect(strangers.meet(counted(7))).toBe(false);
    expect(strangers.leave(7)).toBe(8);
    expect(strangers.leave(7)).toBe(0);
  });

  it('is remembered while it is counted, and forgotten when it is silent and was not found', () => {
    const strangers = new Strangers(() => undefined);
    strangers.meet(counted(7));
    strangers.wereNotFound();
    strangers.meet(counted(7));
    strangers.wereNotFound();
    expect(strangers.size).toBe(1);
    strangers.wereNotFound();
    expect(strangers.size).toBe(0);
  });
});

describe('a data plan (S-2.4.9)', () => {
  it('is told of at each level once, and ends video at its end', async () => {
    const usage = await start();
    receive(usage, 500_000);
    receive(usage, 100_000);
    expect(events).toEqual([{ deviceId: 'BUS1', type: 'data-plan-level', percent: 50 }]);
    expect(usage.mayStream('BUS1', 'main', 'viewer')).toEqual({ ok: true });
    expect(changed).toEqual([]);
    receive(usage, 400_000);
    expect(events.at(-1)).toEqual({ deviceId: 'BUS1', type: 'data-plan-level', percent: 100 });
    expect(usage.mayStream('BUS1', 'sub', 'recorder')).toEqual({ ok: false, reason: 'plan-no-video' });
    expect(usage.mayTransfer('BUS1', 0).ok).toBe(false);
    expect(usage.isLimited(7)).toBe(true);
    expect(changed).toEqual(['BUS1']);
    await usage.close();
    expect(store.told.at(-1)).toMatchObject({ incarnation: 7, percent: 100 });
  });

  it('is told of from the start when another one is assigned, after a restart too', async () => {
    const first = await start();
    receive(first, 600_000);
    await first.write();
    store.metered = [{ ...DEVICE, plan: 2, megabytes: 100 }];
    await first.reload();
    await first.close();
    const { fromMs, percent, forecast } = store.told.at(-1) as ToldRow;
    const told = { toldFromMs: fromMs, toldPercent: percent, toldForecast: forecast };
    store.metered = [{ ...DEVICE, plan: 2, megabytes: 100, ...told }];
    const second = await start();
    receive(second, 50_000_000);
    expect(events.at(-1)).toEqual({ deviceId: 'BUS1', type: 'data-plan-level', percent: 50 });
    expect(events).toHaveLength(2);
  });

  it('is lifted for a time, and lets everything through again in its next period', async () => {
    const usage = await start();
    receive(usage, 1_000_000);
    store.metered = [{ ...DEVICE, liftedUntilMs: nowMs + 1_000 }];
    await usage.reload();
    expect(usage.mayStream('BUS1', 'main', 'viewer').ok).toBe(true);
    expect(usage.mayTransfer('BUS1', 5).ok).toBe(true);
    nowMs += 1_000;
    usage.take();
    expect(usage.mayStream('BUS1', 'main', 'viewer').ok).toBe(false);
    nowMs = Date.UTC(2026, 11, 1);
    usage.take();
    expect(usage.mayStream('BUS1', 'main', 'viewer').ok).toBe(true);
    expect(changed).toHaveLength(4);
  });

  it('keeps when it left recordings without video, through a lift and a database that is away', async () => {
    const usage = await start();
    receive(usage, 1_000_000);
    const fromMs = nowMs;
    nowMs += 60_000;
    await usage.write();
    const row = { incarnation: 7, isAll: true };
    expect([...store.withheld.values()]).toEqual([{ ...row, fromMs, toMs: fromMs + 60_000 }]);
    nowMs += 30_000;
    const liftedMs = nowMs;
    store.metered = [{ ...DEVICE, liftedUntilMs: nowMs + 30_000 }];
    await usage.reload();
    store.isAway = true;
    await expect(usage.write()).rejects.toThrow('away');
    store.isAway = false;
    nowMs += 30_000;
    usage.take();
    nowMs += 5_000;
    store.metered = [{ ...DEVICE, action: 'sub-stream' }];
    await usage.reload();
    nowMs += 1_000;
    await usage.close();
    expect([...store.withheld.values()]).toEqual([
      { ...row, fromMs, toMs: liftedMs },
      { ...row, fromMs: liftedMs + 30_000, toMs: liftedMs + 35_000 },
      { incarnation: 7, isAll: false, fromMs: liftedMs + 35_000, toMs: liftedMs + 36_000 },
    ]);
  });

  it('says nothing of devices that it does not know', async () => {
    const usage = await start();
    expect(usage.mayStream('TRUCK9', 'main', 'viewer').ok).toBe(true);
    usage.meter.note(99, 'live', { receivedBytes: 10, sentBytes: 0 });
    await usage.close();
    expect(store.rows.has(99)).toBe(false);
  });
});
