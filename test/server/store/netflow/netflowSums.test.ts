// Whatever is written, deleted, moved, disabled and placed, and in whichever order: usage over time is what adding up all rows gives.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HourUse } from '../../../../server/store/netflow/netflowHours.ts';
import type { UseOver, UsePoint } from '../../../../server/store/netflow/netflowSeries.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { dayNumber } from '../../../../shared/protocol/timeZones.ts';
import { runs } from '../../../support/runs.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const HOUR_MS = 3_600_000;
/**
 * Number of runs, of some hundred statements each. A failure is reported at once: making it smaller would take longer than the test
 * may.
 */
const RUNS = runs(10);
/** The steps go over the end of a month. */
const FIRST_MS = Date.UTC(2026, 10, 29, 13);
const STEP_MS = 5 * HOUR_MS;
const STEPS = 14;
const DEVICES = 4;
const GROUPS = 3;
const ZONES = ['UTC', 'Asia/Taipei', 'America/New_York'] as const;

const TABLES = [
  ...['netflow_place', 'netflow_group_day', 'netflow_device_month', 'netflow_hour', 'netflow_day', 'device'],
] as const;

const device = fc.nat({ max: DEVICES - 1 });
const hourMs = fc.nat({ max: STEPS - 1 }).map((at) => FIRST_MS + at * STEP_MS);
const kindBytes = fc.array(fc.nat({ max: 1_000 }), { minLength: 9, maxLength: 9 });
/** Index of a group; GROUPS stands for none. */
const group = fc.nat({ max: GROUPS });

const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('write'), device, hourMs, received: kindBytes, sent: kindBytes }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('place') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move'), device, group }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('disable'), device, disabled: fc.constantFrom(0, 1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('removeHours'), hourMs }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('removeDays'), hourMs }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replace'), device, group }) },
);
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

describeOnBothEngines('sums of data usage (S-2.4.9)', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let groups: number[];
  let memberGroups: number[];
  let names = 0;
  const used = new Map<string, HourUse>();
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    groups = [];
    for (let at = 0; at < GROUPS; at++) groups.push(await stores.deviceGroups.insert(`Depot ${at}`));
    memberGroups = [];
    for (const seen of [groups.slice(0, 2), groups.slice(1), groups]) {
      const memberGroup = await stores.memberGroups.insert({ name: `Members ${memberGroups.length}` });
      await stores.memberGroups.setDeviceGroups(memberGroup, seen);
      memberGroups.push(memberGroup);
    }
  });
  afterAll(() => database.close());

  const add = async (at: number): Promise<number> => {
    const deviceId = `BUS${names++}`;
    const { incarnation } = await stores.devices.insert({ deviceId, name: deviceId, chn: 1 });
    await set(incarnation, { device_group: groups[at] ?? null, time_zone: ZONES[names % ZONES.length] ?? 'UTC' });
    return incarnation;
  };
  const set = (
    incarnation: number,
    values: Partial<{ device_group: number | null; disabled: number; time_zone: string }>,
  ) => database.db.updateTable('device').set(values).where('incarnation', '=', incarnation).execute();

  /** Adds to what an hour has, which only grows. */
  const grow = ({ incarnation, hourMs: at, received, sent }: HourUse): HourUse => {
    const before = used.get(`${incarnation}/${at}`);
    const plus = (more: readonly number[], to: readonly number[] | undefined) =>
      more.map((bytes, kind) => bytes + (to?.[kind] ?? 0));
    const use = { incarnation, hourMs: at, received: plus(received, before?.received), sent: plus(sent, before?.sent) };
    used.set(`${incarnation}/${at}`, use);
    return use;
  };

  const act = async (fleet: number[], each: Action): Promise<void> => {
    const incarnation = 'device' in each ? (fleet[each.device] ?? 0) : 0;
    switch (each.do) {
      case 'write':
        if (!('received' in each)) return;
        return stores.netflowUse.write([grow({ incarnation, ...each })], []);
      case 'place':
        await stores.netflowUse.placeSome();
        return;
      case 'move':
        if ('group' in each) await set(incarnation, { device_group: groups[each.group] ?? null });
        return;
      case 'disable':
        if ('disabled' in each) await set(incarnation, { disabled: each.disabled });
        return;
      case 'removeHours':
        if ('hourMs' in each) await stores.netflowUse.removeHoursBefore(each.hourMs);
        return;
      case 'removeDays':
        if ('hourMs' in each) await stores.netflowUse.removeDaysBefore(dayNumber(each.hourMs, 'UTC'));
        return;
      case 'replace':
        await database.db.deleteFrom('device').where('incarnation', '=', incarnation).execute();
        if ('group' in each) fleet[each.device] = await add(each.group);
    }
  };

  it('are what adding up all rows gives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40 }), hourMs, async (actions, fromMs) => {
        await empty();
        const fleet = [await add(0), await add(1), await add(2), await add(GROUPS)];
        for (const each of actions) await act(fleet, each);
        // A month has the bytes of its days until it is deleted as a whole.
        const hasWholeMonths = !actions.some((each) => each.do === 'removeDays');
        await compareAll(fromMs, hasWholeMonths);
        while (await stores.netflowUse.placeSome());
        await compareAll(fromMs, hasWholeMonths);
        await expectSumsAlone();
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  const empty = async (): Promise<void> => {
    for (const table of TABLES) await database.db.deleteFrom(table).execute();
  };

  const compareAll = async (fromMs: number, hasWholeMonths: boolean): Promise<void> => {
    for (const memberGroup of memberGroups) {
      for (const some of [undefined, groups.slice(1, 2), []]) {
        const whole: UseOver = {
          ...{ memberGroup, groups: some, incarnation: undefined },
          ...{ fromMs: 0, toMs: FIRST_MS * 2, firstDay: 0, lastDay: 99_999_999 },
        };
        const part = { ...whole, fromMs, toMs: fromMs + 3 * STEP_MS, firstDay: 20_261_130, lastDay: 20_261_201 };
        for (const over of [whole, part]) {
          const expected = await addUpPlainly(over);
          expect(sorted(await stores.netflowSeries.hours(over))).toEqual(expected.hours);
          expect(sorted(await stores.netflowSeries.days(over))).toEqual(expected.days);
          if (hasWholeMonths || over === part)
            expect(await stores.netflowSeries.top(over, 2)).toEqual(expected.top.slice(0, 2));
        }
      }
    }
  };

  const addUpPlainly = async (over: UseOver) => {
    const owners = database.db.selectFrom('member_group_device_group').selectAll();
    const seen = (await owners.where('member_group', '=', over.memberGroup).execute())
      .map(({ device_group }) => device_group)
      .filter((each) => over.groups?.includes(each) ?? true);
    const devices = (await database.db.selectFrom('device').selectAll().execute()).filter(
      ({ disabled, device_group }) => disabled === 0 && device_group !== null && seen.includes(device_group),
    );
    const known = new Map(devices.map((each) => [each.incarnation, each]));
    const hours = (await database.db.selectFrom('netflow_hour').selectAll().execute())
      .map(({ hour_ms, ...row }) => ({ ...row, at: hour_ms }))
      .filter(({ incarnation, at }) => known.has(incarnation) && at >= over.fromMs && at < over.toMs);
    const days = (await database.db.selectFrom('netflow_day').selectAll().execute())
      .map(({ day, ...row }) => ({ ...row, at: day }))
      .filter(({ incarnation, at }) => known.has(incarnation) && at >= over.firstDay && at <= over.lastDay);
    const used = new Map<number, number>();
    for (const { incarnation, received_bytes, sent_bytes } of days)
      used.set(incarnation, (used.get(incarnation) ?? 0) + received_bytes + sent_bytes);
    const top = [...used]
      .sort(([one, ofOne], [other, ofOther]) => ofOther - ofOne || one - other)
      .map(([incarnation, bytes]) => ({
        deviceId: known.get(incarnation)?.device_id,
        name: known.get(incarnation)?.name,
        bytes,
      }));
    return { hours: points(hours), days: points(days), top };
  };

  /** Once all devices are placed, no row of a device is needed: sums that nothing would correct are right by themselves. */
  const expectSumsAlone = async (): Promise<void> => {
    const whole = {
      groups: undefined,
      incarnation: undefined,
      fromMs: 0,
      toMs: FIRST_MS * 2,
      firstDay: 0,
      lastDay: 99_999_999,
    };
    const load = () =>
      Promise.all(memberGroups.map((memberGroup) => stores.netflowSeries.days({ ...whole, memberGroup })));
    const before = await load();
    await database.db.deleteFrom('netflow_day').execute();
    expect((await load()).map(sorted)).toEqual(before.map(sorted));
  };
});

interface PlainRow {
  readonly at: number;
  readonly kind: number;
  readonly received_bytes: number;
  readonly sent_bytes: number;
}

function points(rows: readonly PlainRow[]): UsePoint[] {
  const sums = new Map<string, { at: number; kind: number; receivedBytes: number; sentBytes: number }>();
  for (const { at, kind, received_bytes, sent_bytes } of rows) {
    const sum = sums.get(`${at}/${kind}`) ?? { at, kind, receivedBytes: 0, sentBytes: 0 };
    sums.set(`${at}/${kind}`, sum);
    sum.receivedBytes += received_bytes;
    sum.sentBytes += sent_bytes;
  }
  return sorted([...sums.values()]);
}

function sorted(rows: readonly UsePoint[]): UsePoint[] {
  return [...rows].sort((left, right) => left.at - right.at || left.kind - right.kind);
}
