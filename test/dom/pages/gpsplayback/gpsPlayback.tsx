// GPS Playback in a browser's window of the test's making, with a gateway that knows where two buses were.
import { act } from '@testing-library/react';
import { expect, onTestFinished, vi } from 'vitest';
import { GpsPlaybackPage } from '../../../../pages/innerpage/gpsplayback/GpsPlaybackPage.tsx';
import { EVENT_TYPE_NAMES_PATH } from '../../../../shared/protocol/api/eventTypes.ts';
import { FENCES_SHOWN_PATH } from '../../../../shared/protocol/api/fences/fences.ts';
import {
  TRACK_CHART_PATH,
  TRACK_LINE_PATH,
  TRACK_POINTS_PATH,
  TRACK_SUMMARY_PATH,
  type TrackSummary,
} from '../../../../shared/protocol/api/tracks/track.ts';
import { setPageQuery } from '../../../../shared/ui/frame/pageQuery.ts';
import { planGateway, renderPage, settle } from '../../../support/browser/renderPage.tsx';
import { EVENT_WORDS } from '../../../support/eventWords.ts';
import { type FakeGateway, json } from '../../../support/fakes/fakeGateway.ts';
import { type FakeSocket, fakeSockets } from '../../../support/fakes/fakeSocket.ts';
import {
  trackChart,
  trackEvent,
  trackLine,
  trackPoint,
  trackStop,
  trackSummary,
  trip,
} from '../../../support/trackAnswers.ts';

/** In Taipei it is the 24th already. */
export const NOW_MS = Date.UTC(2026, 10, 23, 17, 30);
/** 24th, 00:00 in Taipei. */
export const DAY_MS = Date.UTC(2026, 10, 23, 16);
export const MINUTE_MS = 60_000;

const SUMMARY = trackSummary({
  clock: [{ fromMs: DAY_MS, offsetMs: 420_000 }],
  trips: [
    trip({ id: 1, fromMs: DAY_MS + 5 * MINUTE_MS, toMs: DAY_MS + 15 * MINUTE_MS }),
    trip({ id: 2, fromMs: DAY_MS + 40 * MINUTE_MS, toMs: DAY_MS + 50 * MINUTE_MS, fromPlace: '', isOpen: true }),
  ],
  stops: [trackStop({ id: 3, fromMs: DAY_MS + 15 * MINUTE_MS, toMs: DAY_MS + 40 * MINUTE_MS })],
  events: [
    trackEvent({ id: 7, beginAtMs: DAY_MS + 8 * MINUTE_MS, endAtMs: DAY_MS + 9 * MINUTE_MS }),
    trackEvent({
      id: 9,
      type: 'emergency',
      beginAtMs: DAY_MS + 45 * MINUTE_MS,
      lat: null,
      lng: null,
      hasPictures: true,
    }),
  ],
  recordings: [{ channel: 1, ranges: [{ fromMs: DAY_MS, toMs: DAY_MS + 20 * MINUTE_MS }] }],
});

export interface PlaybackSetUp {
  readonly query?: string;
  readonly permissions?: readonly string[];
  readonly summary?: TrackSummary;
  readonly locale?: 'en' | 'zh-TW' | 'jp';
}

export interface OpenedPlayback {
  readonly gateway: FakeGateway;
  readonly socket: FakeSocket;
}

export async function openPlayback(setUp: PlaybackSetUp = {}): Promise<OpenedPlayback> {
  const { query = 'device=BUS1', permissions = [], summary = SUMMARY, locale = 'en' } = setUp;
  const gateway = planGateway({ user: { username: 'mei', permission: [...permissions], timezone: 'Asia/Taipei' } });
  planTracks(gateway, summary);
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS });
  onTestFinished(() => void vi.useRealTimers());
  giveLayout();
  const sockets = fakeSockets();
  act(() => setPageQuery(query, 'replace'));
  onTestFinished(() => act(() => setPageQuery('', 'replace')));
  await renderPage(<GpsPlaybackPage />, locale);
  await settle();
  const socket = sockets.at(-1) ?? expect.fail('the page has opened no line');
  socket.open();
  socket.tell({
    type: 'snapshot',
    devices: [device('BUS1', 'Lake line 1'), device('BUS2', 'Hill line 7')],
  });
  await settle();
  return { gateway, socket };
}

function device(id: string, name: string) {
  return { id, name, plate: `KAA-${id}`, group: 4, groupName: 'Lake', chn: 2, state: 'online' };
}

function planTracks(gateway: FakeGateway, summary: TrackSummary): void {
  const ok = (data: unknown) => ({ error: false, data });
  gateway.on(`GET ${EVENT_TYPE_NAMES_PATH}`, ok(EVENT_WORDS));
  gateway.on(`GET ${FENCES_SHOWN_PATH}`, ok([]));
  gateway.on(`GET ${TRACK_LINE_PATH}`, ok(trackLine(DAY_MS + 5 * MINUTE_MS, 60)));
  gateway.on(`GET ${TRACK_SUMMARY_PATH}`, ok(summary));
  gateway.on(`GET ${TRACK_CHART_PATH}`, ({ query }) =>
    json(ok(trackChart(Number(query.get('from')), (Number(query.get('to')) - Number(query.get('from'))) / 4))),
  );
  const rows = Array.from({ length: 60 }, (_each, at) => trackPoint(DAY_MS + (5 + at) * MINUTE_MS, { speedKmh: at }));
  gateway.on(`GET ${TRACK_POINTS_PATH}`, ok({ rows, next: null, previous: null }));
  // The map never comes: this browser has no WebGL to draw one.
  gateway.on('GET /api/dashboard/map', () => new Promise(() => undefined));
}

/** This browser lays nothing out, and lists that draw what is in sight would draw nothing. */
function giveLayout(): void {
  const spies = [
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600),
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400),
  ];
  onTestFinished(() => spies.forEach((spy) => void spy.mockRestore()));
}

export const address = (): string => decodeURIComponent(window.location.search.slice(1));

/** The clock's moment as the page says it. */
export const clockText = (): string => document.querySelector('[data-clock]')?.textContent ?? '';
