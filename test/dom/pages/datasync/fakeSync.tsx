// The page with a gateway that keeps rules and items, and knows of one day what is where.
import { waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished } from 'vitest';
import { DatasyncPage } from '../../../../pages/innerpage/datasync/DatasyncPage.tsx';
import { EVENT_TYPE_NAMES_PATH } from '../../../../shared/protocol/api/eventTypes.ts';
import {
  type ChangedSyncRule,
  SYNC_ACT_PATH,
  SYNC_CALENDAR_PATH,
  SYNC_DAY_PATH,
  SYNC_FILE_PATH,
  SYNC_ITEMS_PATH,
  SYNC_REQUEST_PATH,
  SYNC_RULES_PATH,
  type SyncAct,
  type SyncCalendar,
  type SyncDay,
  type SyncItem,
  type SyncRequest,
  type SyncRule,
  type SyncRuleContent,
} from '../../../../shared/protocol/api/sync/sync.ts';
import { setPageQuery } from '../../../../shared/ui/frame/pageQuery.ts';
import { planGateway, renderPage, settle, setWindowWidth } from '../../../support/browser/renderPage.tsx';
import { EVENT_WORDS } from '../../../support/eventWords.ts';
import { type FakeGateway, json } from '../../../support/fakes/fakeGateway.ts';
import { type FakeSocket, fakeSockets } from '../../../support/fakes/fakeSocket.ts';
import { aSyncRule } from '../../../support/sync/syncAnswers.ts';

export interface SyncSetUp {
  readonly permission?: readonly string[];
  readonly locale?: 'en' | 'zh-TW' | 'jp';
  readonly query?: string;
  readonly items?: readonly SyncItem[];
  readonly rules?: SyncRule[];
  readonly calendar?: SyncCalendar;
  readonly day?: SyncDay;
}

export interface KeptSync {
  readonly rules: SyncRule[];
  readonly acts: SyncAct[];
  readonly requests: SyncRequest[];
}

export const ok = (data: unknown) => json({ error: false, data });

const TABS = {
  queue: () => import('../../../../pages/innerpage/datasync/queue/QueueTab.tsx'),
  rules: () => import('../../../../pages/innerpage/datasync/rules/RulesTab.tsx'),
  calendar: () => import('../../../../pages/innerpage/datasync/calendar/CalendarTab.tsx'),
};

const FLEET = {
  type: 'snapshot',
  devices: [
    { id: 'BUS1', name: 'Lake line 1', plate: 'KAA-1', group: 4, groupName: 'Lake', chn: 4, state: 'online' },
    { id: 'BUS2', name: 'Hill line 7', plate: 'KAA-2', group: 4, groupName: 'Lake', chn: 2, state: 'offline' },
  ],
};

/** In a window of a phone: there the grid shows every row, as it needs no measure of its box. */
export async function openSync(setUp: SyncSetUp = {}) {
  const { permission = ['datasync'], locale = 'en', query = '' } = setUp;
  setWindowWidth(400);
  onTestFinished(() => setWindowWidth(1024));
  setPageQuery(query, 'replace');
  onTestFinished(() => setPageQuery('', 'replace'));
  const gateway = planGateway({ user: { permission: [...permission], timezone: 'UTC' } });
  const kept = keepSync(gateway, setUp);
  const sockets = fakeSockets();
  // A tab opens the line: its part of the page has to be there already.
  await Promise.all(Object.values(TABS).map((load) => load()));
  await renderPage(<DatasyncPage />, locale);
  await settle();
  const tellFleet = (): FakeSocket | undefined => {
    const socket = sockets.at(-1);
    socket?.open();
    socket?.tell(FLEET);
    return socket;
  };
  const socket = tellFleet();
  await settle();
  return { gateway, socket, tellFleet, ...kept, user: userEvent.setup() };
}

function keepSync(gateway: FakeGateway, setUp: SyncSetUp): KeptSync {
  const { items = [], rules = [aSyncRule()], calendar = { listedAtMs: 0, days: [] }, day = [] } = setUp;
  const kept: KeptSync = { rules, acts: [], requests: [] };
  gateway.on(`GET ${EVENT_TYPE_NAMES_PATH}`, { error: false, data: EVENT_WORDS });
  gateway.on(`GET ${SYNC_ITEMS_PATH}`, () => page(items));
  gateway.on(`POST ${SYNC_ACT_PATH}`, ({ body }) => {
    kept.acts.push(body as SyncAct);
    return ok({ items: (body as SyncAct).items.length });
  });
  gateway.on(`POST ${SYNC_REQUEST_PATH}`, ({ body }) => {
    kept.requests.push(body as SyncRequest);
    return ok({ items: [101], outcome: 'planned' });
  });
  gateway.on(`POST ${SYNC_FILE_PATH}`, { error: false, data: { address: '/api/download/abc' } });
  gateway.on(`GET ${SYNC_CALENDAR_PATH}`, () => ok(calendar));
  gateway.on(`GET ${SYNC_DAY_PATH}`, () => ok(day));
  keepRules(gateway, kept);
  return kept;
}

function keepRules(gateway: FakeGateway, { rules }: KeptSync): void {
  gateway.on(`GET ${SYNC_RULES_PATH}`, () => page(rules));
  gateway.on(`POST ${SYNC_RULES_PATH}`, ({ body }) => {
    const rule = aSyncRule({ ...(body as SyncRuleContent), id: 100 + rules.length });
    rules.push(rule);
    return ok(rule);
  });
  for (const { id } of rules) {
    const at = () => rules.findIndex((rule) => rule.id === id);
    gateway.on(`PUT ${SYNC_RULES_PATH}/${id}`, ({ body }) => {
      const { version, ...content } = body as ChangedSyncRule;
      const known = rules[at()] ?? expect.fail(`no rule ${id}`);
      if (known.version !== version) {
        return json({ error: true, code: 'conflict', message: 'conflict', data: { current: known } }, { status: 409 });
      }
      rules[at()] = { ...known, ...content, version: version + 1 };
      return ok(rules[at()]);
    });
    gateway.on(`DELETE ${SYNC_RULES_PATH}/${id}`, () => {
      rules.splice(at(), 1);
      return ok({});
    });
  }
}

function page(rows: readonly object[]): Response {
  return ok({ rows, total: rows.length, hasMoreThanTotal: false, next: null, previous: null });
}

export const rows = () => [...document.querySelectorAll<HTMLElement>('.MuiDataGrid-row')];

/** The row that begins so, once it is there. */
export function rowOf(name: string): Promise<HTMLElement> {
  return waitFor(() => rows().find((row) => row.textContent?.includes(name)) ?? expect.fail(`no row ${name}`));
}
