// The page with a gateway that keeps rules and messages, and refuses as the real one does.
import { act, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished } from 'vitest';
import { NotifyConfigPage } from '../../../../pages/innerpage/eventnotifyconfig/NotifyConfigPage.tsx';
import { EVENTS_PATH } from '../../../../shared/protocol/api/events.ts';
import { EVENT_TYPE_NAMES_PATH } from '../../../../shared/protocol/api/eventTypes.ts';
import {
  NOTIFY_CANCEL_PATH,
  NOTIFY_COUNTS_PATH,
  NOTIFY_MESSAGES_PATH,
  NOTIFY_RESEND_PATH,
  type NotifyMessage,
} from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import {
  type Explained,
  NOTIFY_CHOICES_PATH,
  NOTIFY_EXPLAIN_PATH,
  NOTIFY_RULES_PATH,
  type NotifyChoices,
  type NotifyRule,
} from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { setPageQuery } from '../../../../shared/ui/frame/pageQuery.ts';
import { planGateway, renderPage, setWindowWidth } from '../../../support/browser/renderPage.tsx';
import { eventRow } from '../../../support/eventRow.ts';
import { EVENT_WORDS } from '../../../support/eventWords.ts';
import { type FakeGateway, json } from '../../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';
import { NOTIFY_CHOICES, notifyRule } from '../../../support/notify/notifyRecords.ts';

export interface NotifySetUp {
  readonly query?: string;
  readonly permission?: readonly string[];
  readonly locale?: 'en' | 'zh-TW' | 'jp';
  readonly rules?: readonly NotifyRule[];
  readonly messages?: readonly NotifyMessage[];
  readonly choices?: NotifyChoices;
  readonly explained?: Explained;
}

export const ok = (data: unknown) => json({ error: false, data });
const EVENT = eventRow({ id: 7 });

export async function openNotifyConfig(setUp: NotifySetUp = {}) {
  const { query = '', permission = ['system', 'eventnotifyconfig', 'event'], locale = 'en' } = setUp;
  // A window of a phone: there the grid shows every row, as it needs no measure of its box.
  setWindowWidth(400);
  onTestFinished(() => setWindowWidth(1024));
  const gateway = planGateway({ user: { permission: [...permission], timezone: 'Asia/Taipei' } });
  const sockets = fakeSockets();
  gateway.on(`GET ${EVENT_TYPE_NAMES_PATH}`, () => ok(EVENT_WORDS));
  gateway.on(`GET ${NOTIFY_CHOICES_PATH}`, () => ok(setUp.choices ?? NOTIFY_CHOICES));
  gateway.on(`POST ${NOTIFY_EXPLAIN_PATH}`, () => ok(setUp.explained ?? []));
  gateway.on(`GET ${EVENTS_PATH}`, () => ok(page([EVENT])));
  gateway.on(`GET ${EVENTS_PATH}/7`, () => ok({ event: EVENT, steps: [], ...NO_END }));
  const rules = keepRules(gateway, setUp.rules ?? [notifyRule()]);
  const messages = keepMessages(gateway, setUp.messages ?? []);
  act(() => setPageQuery(query, 'replace'));
  onTestFinished(() => act(() => setPageQuery('', 'replace')));
  await renderPage(<NotifyConfigPage />, locale);
  return { gateway, rules, messages, sockets, user: userEvent.setup() };
}

const NO_END = { endLat: null, endLng: null, endSpeedKmh: 0, endHeading: 0, alarmMark: '' };

function page(rows: readonly unknown[]) {
  return { rows, total: rows.length, hasMoreThanTotal: false, next: null, previous: null };
}

/** By id. */
function keepRules(gateway: FakeGateway, given: readonly NotifyRule[]): Map<number, NotifyRule> {
  const rules = new Map(given.map((rule) => [rule.id, rule]));
  gateway.on(`GET ${NOTIFY_RULES_PATH}`, () => ok(page([...rules.values()])));
  gateway.on(`POST ${NOTIFY_RULES_PATH}`, ({ body }) => {
    const added = { ...notifyRule(), ...(body as object), id: 100 + rules.size };
    rules.set(added.id, added);
    return ok(added);
  });
  for (const { id } of given) {
    const path = `${NOTIFY_RULES_PATH}/${id}`;
    gateway.on(`PUT ${path}`, ({ body }) => {
      const known = rules.get(id) as NotifyRule;
      const change = body as NotifyRule;
      if (change.version !== known.version) {
        return json({ error: true, code: 'conflict', message: 'conflict', data: { current: known } }, { status: 409 });
      }
      rules.set(id, { ...known, ...change, version: known.version + 1 });
      return ok(rules.get(id));
    });
    gateway.on(`DELETE ${path}`, () => {
      rules.delete(id);
      return ok({});
    });
  }
  return rules;
}

/** By id; filtered by state, which is all that the tests look at. */
function keepMessages(gateway: FakeGateway, given: readonly NotifyMessage[]): Map<number, NotifyMessage> {
  const messages = new Map(given.map((message) => [message.id, message]));
  const all = () => [...messages.values()];
  gateway.on(`GET ${NOTIFY_MESSAGES_PATH}`, ({ query }) => {
    const state = query.get('state');
    return ok(page(all().filter((message) => state === null || message.state === state)));
  });
  gateway.on(`GET ${NOTIFY_COUNTS_PATH}`, () => {
    const count = (state: string) => all().filter((message) => message.state === state).length;
    return ok({ waiting: count('waiting'), sent: count('sent'), failed: count('failed'), canceled: count('canceled') });
  });
  const change = (path: string, state: NotifyMessage['state']) =>
    gateway.on(`POST ${path}`, ({ body }) => {
      const { ids } = body as { readonly ids: readonly number[] };
      for (const id of ids) messages.set(id, { ...(messages.get(id) as NotifyMessage), state, attempts: 0 });
      return ok({ changed: ids.length });
    });
  change(NOTIFY_RESEND_PATH, 'waiting');
  change(NOTIFY_CANCEL_PATH, 'canceled');
  return messages;
}

export const rows = () => [...document.querySelectorAll<HTMLElement>('.MuiDataGrid-row')];
export const rowOf = (text: string) =>
  rows().find((row) => row.textContent?.includes(text)) ?? expect.fail(`no row ${text}`);
export const shown = (text: string) =>
  waitFor(() => expect(rows().some((row) => row.textContent?.includes(text))).toBe(true));

export const address = (): string => decodeURIComponent(window.location.search.slice(1));
