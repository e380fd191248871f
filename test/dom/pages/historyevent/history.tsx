// History Event in a browser's window of the test's making, with a gateway that has a few events.
import { act, screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, vi } from 'vitest';
import { HistoryEventPage } from '../../../../pages/innerpage/historyevent/HistoryEventPage.tsx';
import {
  EVENT_ACT_PATH,
  EVENT_DAYS_PATH,
  EVENT_FILTERS_PATH,
  EVENTS_PATH,
  type EventActRequest,
  type EventDays,
  type EventRow,
  type SavedEventFilter,
} from '../../../../shared/protocol/api/events.ts';
import { EVENT_TYPE_NAMES_PATH } from '../../../../shared/protocol/api/eventTypes.ts';
import { setPageQuery } from '../../../../shared/ui/frame/pageQuery.ts';
import { planGateway, renderPage, settle } from '../../../support/browser/renderPage.tsx';
import { eventRow } from '../../../support/eventRow.ts';
import { EVENT_WORDS } from '../../../support/eventWords.ts';
import { type FakeGateway, json } from '../../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';

/** In Taipei it is the 24th already. */
const NOW_MS = Date.UTC(2026, 10, 23, 17, 30);

export const EVENTS: readonly EventRow[] = [
  eventRow({ id: 30, type: 'emergency', severity: 'critical', deviceid: 'BUS2', deviceName: 'Hill line 7' }),
  eventRow({ id: 20, status: 'acknowledged', assignee: 'mei', version: 4, count: 3, media: 3 }),
  eventRow({ id: 10, type: 'video-loss', unit: 2, status: 'closed', reason: 'real', lat: null, lng: null }),
];

export interface HistorySetUp {
  /** What the address says. */
  readonly query?: string;
  readonly events?: readonly EventRow[];
  readonly days?: EventDays;
  readonly filters?: readonly SavedEventFilter[];
}

export async function openHistory({
  query = '',
  events = EVENTS,
  days = [],
  filters = [],
}: HistorySetUp = {}): Promise<FakeGateway> {
  const gateway = planGateway({ user: { username: 'mei', permission: ['event'], timezone: 'Asia/Taipei' } });
  const ok = (data: unknown) => ({ error: false, data });
  gateway.on(
    `GET ${EVENTS_PATH}`,
    ok({ rows: events, total: events.length, hasMoreThanTotal: false, next: null, previous: null }),
  );
  gateway.on(`GET ${EVENT_TYPE_NAMES_PATH}`, ok(EVENT_WORDS));
  gateway.on(`GET ${EVENT_DAYS_PATH}`, ok(days));
  gateway.on(`GET ${EVENT_FILTERS_PATH}`, ok(filters));
  gateway.on('GET /api/event/assignees', ok([]));
  gateway.on(`POST ${EVENT_ACT_PATH}`, ({ body }) => {
    const named = (body as EventActRequest).events;
    const changed = named.map(({ id, version }) => ({
      ...(events.find((event) => event.id === id) ?? eventRow({ id })),
      version: version + 1,
      status: 'acknowledged',
    }));
    return json(ok({ events: changed, refused: [] }));
  });
  for (const event of events) planEvent(gateway, event);
  const channels = { chn: 2, installchs: '11', livechs: '11', ptzchs: '00', talkchs: '00' };
  gateway.on('GET /api/dashboard/device', ok({ deviceid: 'BUS1', name: '', plate: '', ...channels }));
  // The map never comes: this browser has no WebGL to draw one.
  gateway.on('GET /api/dashboard/map', () => new Promise(() => undefined));
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS });
  onTestFinished(() => void vi.useRealTimers());
  fakeSockets();
  act(() => setPageQuery(query, 'replace'));
  onTestFinished(() => act(() => setPageQuery('', 'replace')));
  await renderPage(<HistoryEventPage />);
  await settle();
  return gateway;
}

/** Its details, its track and what is kept of it, as the panel asks for them. */
export function planEvent(gateway: FakeGateway, event: EventRow): void {
  const detail = { event, steps: [], endLat: null, endLng: null, endSpeedKmh: 0, endHeading: 0, alarmMark: '' };
  gateway.on(`GET ${EVENTS_PATH}/${event.id}`, { error: false, data: detail });
  gateway.on(`GET ${EVENTS_PATH}/${event.id}/track`, { error: false, data: [] });
  gateway.on(`GET ${EVENTS_PATH}/${event.id}/media`, { error: false, data: [] });
}

/** What the last call of a path asked for. */
export function asked(gateway: FakeGateway, path: string = EVENTS_PATH): Readonly<Record<string, string>> {
  const call = gateway.callsOf(path).at(-1) ?? expect.fail(`nothing was asked of ${path}`);
  return Object.fromEntries(call.query);
}

/** Until the last call says these things. */
export async function askedFor(
  gateway: FakeGateway,
  expected: Readonly<Record<string, string>>,
  path?: string,
): Promise<void> {
  await waitFor(() => expect(asked(gateway, path)).toMatchObject(expected));
}

export const address = (): string => decodeURIComponent(window.location.search.slice(1));

/** The rows that the table shows, by their ids. */
export const shownIds = (): readonly string[] =>
  [...document.querySelectorAll('[role="row"][data-id]')].map((row) => row.getAttribute('data-id') ?? '');

export const cell = (text: string | RegExp): HTMLElement => screen.getByRole('gridcell', { name: text });
