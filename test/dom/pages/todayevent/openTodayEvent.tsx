// Today Event in a browser's window of the test's making, with a gateway that has a few events.
import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, onTestFinished, vi } from 'vitest';
import { TodayEventPage } from '../../../../pages/innerpage/todayevent/TodayEventPage.tsx';
import {
  EVENT_ACT_PATH,
  EVENTS_PATH,
  type EventActAnswer,
  type EventActRequest,
  type EventRow,
} from '../../../../shared/protocol/api/events.ts';
import { EVENT_TYPE_NAMES_PATH } from '../../../../shared/protocol/api/eventTypes.ts';
import { type PageSetUp, planGateway, renderPage, settle } from '../../../support/browser/renderPage.tsx';
import { EVENT_BEGIN_MS, eventRow } from '../../../support/eventRow.ts';
import { EVENT_WORDS } from '../../../support/eventWords.ts';
import { type FakeGateway, json } from '../../../support/fakes/fakeGateway.ts';
import { type FakeSocket, fakeSockets } from '../../../support/fakes/fakeSocket.ts';

const LIST_PIXELS = 600;

/** An event of the day that the list is opened on; the greater the id, the newer. */
export function today(id: number, fields: Partial<EventRow> = {}): EventRow {
  return eventRow({ id, lat: null, lng: null, ...fields });
}

export interface OpenTodayEvent {
  readonly gateway: FakeGateway;
  readonly socket: FakeSocket;
  /** Sends events over the live line. */
  readonly tell: (...events: readonly EventRow[]) => void;
  readonly requests: () => readonly EventActRequest[];
}

/** The page with these events; `act` answers what is done to them. */
export async function openTodayEvent(
  events: readonly EventRow[],
  act: (request: EventActRequest) => EventActAnswer = ({ events: named }) => ({
    events: named.map(({ id, version }) => today(id, { version: version + 1, status: 'acknowledged' })),
    refused: [],
  }),
  setUp: PageSetUp = {},
): Promise<OpenTodayEvent> {
  const gateway = planGateway({ user: { username: 'mei', permission: ['event'] }, ...setUp });
  const page = { rows: events, total: events.length, hasMoreThanTotal: false, next: null, previous: null };
  gateway.on(`GET ${EVENTS_PATH}`, { error: false, data: page });
  gateway.on(`GET ${EVENT_TYPE_NAMES_PATH}`, { error: false, data: EVENT_WORDS });
  gateway.on(`POST ${EVENT_ACT_PATH}`, ({ body }) => json({ error: false, data: act(body as EventActRequest) }));
  for (const event of events) {
    const detail = { event, steps: [], endLat: null, endLng: null, endSpeedKmh: 0, endHeading: 0, alarmMark: '' };
    gateway.on(`GET ${EVENTS_PATH}/${event.id}`, { error: false, data: detail });
    gateway.on(`GET ${EVENTS_PATH}/${event.id}/track`, { error: false, data: [] });
    gateway.on(`GET ${EVENTS_PATH}/${event.id}/media`, { error: false, data: [] });
  }
  const channels = { chn: 2, installchs: '11', livechs: '11', ptzchs: '00', talkchs: '00' };
  gateway.on('GET /api/dashboard/device', {
    error: false,
    data: { deviceid: 'BUS1', name: '', plate: '', ...channels },
  });
  // The map never comes: this browser has no WebGL to draw one.
  gateway.on('GET /api/dashboard/map', () => new Promise(() => undefined));
  stubSizes();
  stopClock();
  const sockets = fakeSockets();
  await renderPage(<TodayEventPage />, setUp.locale);
  const socket = sockets.at(-1) ?? expect.fail('there is no line');
  socket.open();
  let revision = 1;
  socket.tell({ type: 'events', revision, reload: true });
  await act0();
  return {
    gateway,
    socket,
    tell: (...told) => {
      revision++;
      socket.tell({ type: 'events', revision, events: told });
    },
    requests: () => gateway.callsOf(EVENT_ACT_PATH).map(({ body }) => body as EventActRequest),
  };
}

/** The list asks as soon as the line has spoken, after a timer of zero length. */
async function act0(): Promise<void> {
  await settle();
  await settle();
}

/** Stops the clock a few minutes after the events began. Timers run. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: EVENT_BEGIN_MS + 5 * 60_000 });
  onTestFinished(() => void vi.useRealTimers());
}

/** Nothing has a size in this window, and a list without a height shows nothing. */
function stubSizes(): void {
  const height = vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(LIST_PIXELS);
  const width = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(LIST_PIXELS * 2);
  onTestFinished(() => {
    height.mockRestore();
    width.mockRestore();
  });
}

export const list = () => screen.getByRole('grid', { name: 'Events of today' });

/** The texts of the rows, from top to bottom. */
export function rows(): string[] {
  return [...document.querySelectorAll('[data-event-id]')].map((row) => row.getAttribute('data-event-id') ?? '');
}

export function row(id: number): HTMLElement {
  return document.querySelector<HTMLElement>(`[data-event-id="${id}"]`) ?? expect.fail(`no row ${id}`);
}

export function selectBox(id: number): HTMLElement {
  return within(row(id)).getByRole('checkbox');
}

/** Presses a key where the focus is. */
export async function press(key: string, held: Partial<KeyboardEventInit> = {}): Promise<void> {
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...held });
  await act(async () => settle());
}
