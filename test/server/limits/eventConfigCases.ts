// How the limits of what is configured of events are reached.
import { sql } from 'kysely';
import { expect, onTestFinished } from 'vitest';
import { defaultValuesOf } from '../../../server/events/config/ruleDefaults.ts';
import { PREVIEWS_LIMIT, RulePreviews } from '../../../server/events/preview/rulePreviews.ts';
import { builtInRows } from '../../../server/events/types/builtInRows.ts';
import { EVENT_RULES_LIMIT } from '../../../server/store/events/rules/eventRules.ts';
import { createStores } from '../../../server/store/stores.ts';
import { openTestDatabase } from '../store/testDatabase.ts';
import type { LimitCase } from './describeLimits.ts';

const rulesCase: LimitCase = {
  limit: EVENT_RULES_LIMIT,
  open: async (onLimit) => {
    const { db, close } = await openTestDatabase('sqlite');
    onTestFinished(() => close());
    const { eventRules, eventTypes } = createStores(db, onLimit);
    await eventTypes.addMissing(builtInRows());
    const put = (type: string, version: number) =>
      eventRules.put({ type, scope: { kind: 'installation' }, settings: { popUp: true }, version });
    return {
      upTo: async () => {
        const last = EVENT_RULES_LIMIT.max - 1;
        await sql`insert into device_group (name) with recursive number(at) as
          (select 1 union all select at + 1 from number where at < ${last}) select 'group ' || at from number`.execute(
          db,
        );
        await sql`insert into event_rule (type, device_group, settings)
          select 'speeding', serialno, '{}' from device_group`.execute(db);
        expect(await put('speeding', 0)).toMatchObject({ ok: true });
        expect(await eventRules.all()).toHaveLength(EVENT_RULES_LIMIT.max);
      },
      beyond: async () => {
        expect(await put('idling', 0)).toEqual({ ok: false, reason: 'too-many' });
        expect(await put('speeding', 1)).toMatchObject({ ok: true });
      },
    };
  },
};

const previewsCase: LimitCase = {
  limit: PREVIEWS_LIMIT,
  open: (onLimit) => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const positions = { scan: async function* () {}, timeOfLatest: () => released.then(() => undefined) };
    const previews = new RulePreviews({ positions, now: () => 0, nextTurn: async () => undefined, onLimit });
    const [type] = builtInRows().filter(({ code }) => code === 'speeding');
    if (type === undefined) throw new Error('no speeding');
    const values = defaultValuesOf({ ...type, version: 1 });
    const device = { deviceId: 'BUS1', timeZone: '' };
    const preview = () => previews.preview({ code: 'speeding', device, values, valuesNow: values });
    const running: ReturnType<typeof preview>[] = [];
    return {
      upTo: () => {
        while (running.length < PREVIEWS_LIMIT.max) running.push(preview());
      },
      beyond: async () => {
        expect(await preview()).toBeUndefined();
        release();
        expect(await Promise.all(running)).toEqual(running.map(() => expect.objectContaining({ events: 0 })));
      },
    };
  },
};

export const eventConfigCases: readonly LimitCase[] = [rulesCase, previewsCase];
