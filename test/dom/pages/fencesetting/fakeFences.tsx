// The page with a gateway that keeps fences, and refuses as the real one does.
import { waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished } from 'vitest';
import { FenceSettingPage } from '../../../../pages/innerpage/fencesetting/FenceSettingPage.tsx';
import { EVENT_TYPE_NAMES_PATH } from '../../../../shared/protocol/api/eventTypes.ts';
import {
  FENCE_APPLY_PATH,
  FENCE_CHECK_PATH,
  FENCE_DEVICE_PATH,
  FENCE_PREVIEW_PATH,
  FENCES_PATH,
  FENCES_SHOWN_PATH,
  type Fence,
  type FenceImportPlan,
  fenceDevicesPath,
  type TerminalArea,
} from '../../../../shared/protocol/api/fences/fences.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { planGateway, renderPage, setWindowWidth } from '../../../support/browser/renderPage.tsx';
import { EVENT_WORDS } from '../../../support/eventWords.ts';
import { type FakeGateway, json } from '../../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';

export interface FenceSetUp {
  readonly permission?: readonly string[];
  readonly locale?: 'en' | 'zh-TW' | 'jp';
  readonly fences?: readonly Fence[];
  readonly areas?: readonly TerminalArea[];
  readonly plan?: FenceImportPlan;
}

const ok = (data: unknown) => json({ error: false, data });

export function aFence(fields: Partial<Fence> = {}): Fence {
  return {
    id: 1,
    version: 1,
    name: 'Depot',
    enabled: true,
    kind: 'circle',
    geometry: { type: 'Point', coordinates: [121, 23] },
    radiusMeters: 300,
    widthMeters: 0,
    color: '#1a5fb4',
    validFromMs: wallMs(0),
    validToMs: wallMs(0),
    schedule: [],
    timeZone: '',
    deviceGroups: [],
    devices: [],
    rules: {
      enter: true,
      leave: false,
      insideMinutes: 0,
      outsideMinutes: 0,
      speedKmh: 40,
      parkedMinutes: 0,
      wrongDirection: false,
    },
    changedAtMs: wallMs(Date.UTC(2026, 10, 23)),
    changedBy: 'admin',
    ...fields,
  };
}

const ROUTE = aFence({
  id: 2,
  name: 'Lake line',
  kind: 'corridor',
  geometry: {
    type: 'LineString',
    coordinates: [
      [121, 23],
      [121.1, 23.1],
      [121.2, 23.1],
    ],
  },
  radiusMeters: 0,
  widthMeters: 60,
});

export async function openFences(setUp: FenceSetUp = {}) {
  const { permission = ['system', 'fence'], locale = 'en' } = setUp;
  // A window of a phone: there the grid shows every row, as it needs no measure of its box.
  setWindowWidth(400);
  onTestFinished(() => setWindowWidth(1024));
  const gateway = planGateway({ user: { permission: [...permission], timezone: 'Asia/Taipei' } });
  const sockets = fakeSockets();
  // The map never comes: this browser has no WebGL to draw one.
  gateway.on('GET /api/dashboard/map', () => new Promise(() => undefined));
  gateway.on(`GET ${EVENT_TYPE_NAMES_PATH}`, () => ok(EVENT_WORDS));
  const fences = keepFences(gateway, setUp.fences ?? [aFence(), ROUTE]);
  gateway.on(`GET ${fenceDevicesPath(1)}`, () => ok(setUp.areas ?? []));
  gateway.on(`POST ${FENCE_DEVICE_PATH}`, () => ok(setUp.areas ?? []));
  gateway.on(`POST ${FENCE_CHECK_PATH}`, () => ok(setUp.plan));
  gateway.on(`POST ${FENCE_APPLY_PATH}`, () => ok(setUp.plan?.counts));
  gateway.on(`POST ${FENCE_PREVIEW_PATH}`, () =>
    ok({
      devices: 4,
      total: 1,
      isCut: false,
      events: [
        { deviceid: '0001', deviceName: 'Bus 1', type: 'x', atMs: Date.UTC(2026, 10, 23, 8), lat: 23, lng: 121 },
      ],
    }),
  );
  await renderPage(<FenceSettingPage />, locale);
  return { gateway, fences, sockets, user: userEvent.setup() };
}

/** By id. */
function keepFences(gateway: FakeGateway, given: readonly Fence[]): Map<number, Fence> {
  const fences = new Map(given.map((fence) => [fence.id, fence]));
  gateway.on(`GET ${FENCES_SHOWN_PATH}`, () => ok([...fences.values()].filter(({ enabled }) => enabled)));
  gateway.on(`GET ${FENCES_PATH}`, ({ query }) => {
    const kind = query.get('kind');
    const rows = [...fences.values()].filter((fence) => kind === null || fence.kind === kind);
    return ok({ rows, total: rows.length, hasMoreThanTotal: false, next: null, previous: null });
  });
  gateway.on(`POST ${FENCES_PATH}`, ({ body }) => {
    const added = { ...aFence(), ...(body as object), id: 100 + fences.size };
    fences.set(added.id, added);
    return ok(added);
  });
  for (const { id } of given) {
    const path = `${FENCES_PATH}/${id}`;
    gateway.on(`GET ${path}`, () => ok(fences.get(id)));
    gateway.on(`PUT ${path}`, ({ body }) => {
      const known = fences.get(id) as Fence;
      const change = body as Fence;
      if (change.version !== known.version) {
        return json({ error: true, code: 'conflict', message: 'conflict', data: { current: known } }, { status: 409 });
      }
      fences.set(id, { ...known, ...change, version: known.version + 1 });
      return ok(fences.get(id));
    });
    gateway.on(`DELETE ${path}`, () => {
      fences.delete(id);
      return ok({});
    });
  }
  return fences;
}

export const rows = () => [...document.querySelectorAll<HTMLElement>('.MuiDataGrid-row')];
export const rowOf = (text: string) =>
  rows().find((row) => row.textContent?.includes(text)) ?? expect.fail(`no row ${text}`);
export const shown = (text: string) =>
  waitFor(() => expect(rows().some((row) => row.textContent?.includes(text))).toBe(true));
