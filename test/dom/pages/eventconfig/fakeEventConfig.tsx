// The page with a gateway that keeps rules and refuses as the real one does.
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished } from 'vitest';
import { EventConfigPage } from '../../../../pages/innerpage/eventconfig/EventConfigPage.tsx';
import {
  ALARM_LIMITS_PATH,
  type ChangedEventRule,
  type DeviceAlarmLimits,
  EVENT_RULE_GROUPS_PATH,
  EVENT_RULES_PATH,
  type RuleScopeQuery,
} from '../../../../shared/protocol/api/eventConfig.ts';
import { EVENT_TYPE_NAMES_PATH } from '../../../../shared/protocol/api/eventTypes.ts';
import type { EventRuleSettings } from '../../../../shared/protocol/events/eventRules.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { setPageQuery } from '../../../../shared/ui/frame/pageQuery.ts';
import { planGateway, renderPage, setWindowWidth } from '../../../support/browser/renderPage.tsx';
import { EVENT_WORDS } from '../../../support/eventWords.ts';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';
import { GROUPS, RuleKeeper } from './ruleKeeper.ts';

/** A few, so that the table draws them all. */
const TYPES = ['speeding', 'forbidden-hours', 'idling', 'video-loss', 'gateway-started'];

export interface ConfigSetUp {
  readonly query?: string;
  readonly permission?: readonly string[];
  readonly locale?: 'en' | 'zh-TW' | 'jp';
  /** What is set when the page is opened. */
  readonly settings?: readonly (readonly [place: RuleScopeQuery, type: string, settings: EventRuleSettings])[];
}

export async function openConfig({
  query = '',
  permission = ['system', 'eventconfig', 'devicetext'],
  locale = 'en',
  settings = [],
}: ConfigSetUp = {}) {
  // A window of a phone: there the grid shows every row, as it needs no measure of its box.
  setWindowWidth(400);
  onTestFinished(() => setWindowWidth(1024));
  const gateway = planGateway({ user: { permission: [...permission], timezone: 'Asia/Taipei' } });
  const sockets = fakeSockets();
  const rules = new RuleKeeper();
  for (const each of settings) rules.set(...each);
  const ok = (data: unknown) => json({ error: false, data });
  gateway.on(`GET ${EVENT_TYPE_NAMES_PATH}`, () => ok(EVENT_WORDS));
  gateway.on(`GET ${EVENT_RULE_GROUPS_PATH}`, () => ok(GROUPS));
  gateway.on(`GET ${EVENT_RULES_PATH}`, ({ query: place }) => {
    return ok(rules.rows(Object.fromEntries(place) as unknown as RuleScopeQuery, TYPES));
  });
  gateway.on(`PUT ${EVENT_RULES_PATH}`, ({ body }) => {
    const change = body as ChangedEventRule;
    const row = rules.change(change);
    if (row !== undefined) return ok(row);
    const { version: _version, settings: _settings, type, ...place } = change;
    const current = rules.row(place, type);
    return json({ error: true, code: 'conflict', message: 'conflict', data: { current } }, { status: 409 });
  });
  gateway.on(`GET ${ALARM_LIMITS_PATH}`, () => ok(LIMITS));
  act(() => setPageQuery(query, 'replace'));
  onTestFinished(() => act(() => setPageQuery('', 'replace')));
  await renderPage(<EventConfigPage />, locale);
  return { gateway, rules, sockets, user: userEvent.setup() };
}

export const LIMITS: DeviceAlarmLimits = {
  deviceid: 'BUS1',
  isOnline: true,
  state: 'differs',
  version: 3,
  by: 'mei',
  writtenAtMs: wallMs(Date.UTC(2026, 10, 23, 17, 30)),
  wanted: { maxSpeedKmh: 80, maskedAlarms: 2 },
  reported: { maxSpeedKmh: 90, drivingSeconds: 14_400, maskedAlarms: 2 },
  reportedAtMs: wallMs(Date.UTC(2026, 10, 23, 17, 31)),
};

export const rows = () => [...document.querySelectorAll<HTMLElement>('.MuiDataGrid-row')];
export const rowOf = (name: string) =>
  rows().find((row) => row.textContent?.startsWith(name)) ?? expect.fail(`no row ${name}`);
export const shown = (text: string) =>
  waitFor(() => expect(rows().some((row) => row.textContent?.includes(text))).toBe(true));

export const address = (): string => decodeURIComponent(window.location.search.slice(1));

/** Opens the form of a type and waits for it: it is a part of its own. */
export async function openRule(user: ReturnType<typeof userEvent.setup>, name: string): Promise<void> {
  await user.click(await screen.findByLabelText(`Edit ${name}`));
}
