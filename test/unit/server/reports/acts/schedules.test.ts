import { describe, expect, it } from 'vitest';
import { createChangeBus } from '../../../../../server/bus/changeBus.ts';
import type { Actor } from '../../../../../server/records/recordActs.ts';
import { createReportScheduleActs, type ReportScheduleActsDeps } from '../../../../../server/reports/acts/schedules.ts';
import type { ReportScheduleContent } from '../../../../../shared/protocol/api/reports/reports.ts';
import { Permission } from '../../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { noFaults } from '../../../../support/fakes/noFaults.ts';
import { reportParameters } from '../../../../support/reports/reportParameters.ts';

const ANN: Actor = { userId: 7, username: 'ann', permissions: [Permission.Report], address: '', memberGroup: 4 };
const MAIL = 3;
const CONTENT: ReportScheduleContent = {
  name: 'Monday',
  enabled: true,
  kind: 'trips',
  parameters: reportParameters({ period: 'last-week' }),
  every: 'weekly',
  weekday: 1,
  monthDay: 0,
  minuteOfDay: 360,
  format: 'xlsx',
  language: 'en',
  sender: MAIL,
  recipients: ['boss@example.com'],
};

/** A member group with one device in one device group, and senders of two kinds. */
function scene() {
  const saved: ReportScheduleContent[] = [];
  const store: ReportScheduleActsDeps['store'] = {
    find: async () => undefined,
    insert: async (_, { content }) => {
      saved.push(content);
      return { ok: false, reason: 'too-many' };
    },
    update: async () => ({ ok: false, reason: 'gone' }),
    remove: async () => ({ ok: false, reason: 'gone' }),
  };
  const acts = createReportScheduleActs({
    store,
    senders: {
      all: async () => [
        { id: MAIL, name: 'Mail', kind: 'email', enabled: true },
        { id: 4, name: 'Texts', kind: 'sms', enabled: true },
      ],
    },
    scopes: {
      scopeOf: async (memberGroup) =>
        memberGroup === 4
          ? { devices: [{ deviceId: 'BUS1', name: 'Bus', plate: 'N-1' }], deviceGroups: [20] }
          : { devices: [], deviceGroups: [] },
    },
    bus: createChangeBus(noFaults),
    now: () => wallMs(1_000),
  });
  const add = async (change: Partial<ReportScheduleContent>, actor = ANN) => {
    const added = await acts.add(actor, { ...CONTENT, ...change });
    return added.ok ? undefined : added.reason;
  };
  return { add, saved };
}

const SAVED = { kind: 'too-many' };
const parameters = (change: Parameters<typeof reportParameters>[0]) => {
  return { parameters: reportParameters({ period: 'last-week', ...change }) };
};

describe('what members do with schedules of reports', () => {
  it.each([
    [{ name: ' ' }, { name: 'required' }],
    [
      { weekday: 0, recipients: ['boss'] },
      { weekday: 'out-of-range', recipients: 'bad-format' },
    ],
    [{ every: 'monthly', weekday: 0 } as const, { monthDay: 'out-of-range' }],
    [{ sender: 4 }, { sender: 'unknown' }],
    [parameters({ deviceGroups: [21] }), { deviceGroups: 'unknown' }],
    [parameters({ timeZone: 'Mars/Olympus' }), { timeZone: 'unknown' }],
  ])('%j is refused with a code for each field', async (change, fields) => {
    expect(await scene().add(change)).toEqual({ kind: 'fields', fields });
  });

  it('names devices and device groups that the member group sees', async () => {
    const { add } = scene();
    expect(await add(parameters({ devices: ['BUS1'], deviceGroups: [20] }))).toEqual(SAVED);
    const hidden = { kind: 'own', code: 'no-such-device' };
    expect(await add(parameters({ devices: ['TAXI'] }))).toEqual(hidden);
    expect(await add(parameters({ devices: ['BUS1'] }), { ...ANN, memberGroup: 5 })).toEqual(hidden);
  });

  it('asks for a report that its maker may have, once all else of it is right', async () => {
    const { add } = scene();
    const audit = { kind: 'audit' } as const;
    expect(await add(audit)).toEqual({ kind: 'own', code: 'forbidden' });
    expect(await add({ ...audit, name: '' })).toMatchObject({ kind: 'fields' });
    expect(await add(audit, { ...ANN, permissions: Object.values(Permission) })).toEqual(SAVED);
  });

  it('is saved without blanks at the ends of texts', async () => {
    const { add, saved } = scene();
    await add({ name: ' Monday ', recipients: [' boss@example.com '] });
    expect(saved).toEqual([CONTENT]);
  });
});
