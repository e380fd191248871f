// The page with a gateway that keeps images, models and tasks, and refuses as the real one does.
import { waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished } from 'vitest';
import { FirmwarePage } from '../../../../pages/innerpage/firmware/FirmwarePage.tsx';
import {
  FIRMWARE_IMAGES_PATH,
  FIRMWARE_INSTALLED_PATH,
  FIRMWARE_MODELS_PATH,
  FIRMWARE_VERSIONS_PATH,
  type FirmwareImage,
  type FirmwareModel,
  type FirmwareVersions,
  type InstalledDevice,
} from '../../../../shared/protocol/api/firmware/images.ts';
import {
  FIRMWARE_DEVICES_PATH,
  FIRMWARE_REACH_PATH,
  FIRMWARE_RESTART_PATH,
  FIRMWARE_STEPS_PATH,
  FIRMWARE_TASKS_PATH,
  type FirmwareDevice,
  type FirmwareReach,
  type FirmwareSteps,
  type FirmwareTask,
  firmwareActPath,
} from '../../../../shared/protocol/api/firmware/tasks.ts';
import { UPLOAD_STATE_PATH } from '../../../../shared/protocol/api/uploads/uploads.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { setPageQuery } from '../../../../shared/ui/frame/pageQuery.ts';
import { planGateway, renderPage, setWindowWidth } from '../../../support/browser/renderPage.tsx';
import { type FakeGateway, json } from '../../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';
import { aFirmwareDevice, aFirmwareImage, aFirmwareTask } from '../../../support/firmware/firmwareRecords.ts';

export interface FirmwareSetUp {
  readonly permission?: readonly string[];
  readonly locale?: 'en' | 'zh-TW' | 'jp';
  readonly query?: string;
  readonly images?: readonly FirmwareImage[];
  readonly models?: readonly FirmwareModel[];
  readonly versions?: FirmwareVersions;
  /** Devices that are listed for every version. */
  readonly installed?: readonly InstalledDevice[];
  readonly tasks?: readonly FirmwareTask[];
  readonly devices?: readonly FirmwareDevice[];
  readonly steps?: FirmwareSteps;
  readonly reach?: FirmwareReach;
}

const ok = (data: unknown) => json({ error: false, data });

const REACH: FirmwareReach = {
  devices: 12,
  fitting: 9,
  unfitting: [{ fault: 'already-installed', devices: 3 }],
};

const STEPS: FirmwareSteps = [
  {
    atMs: wallMs(Date.UTC(2026, 10, 23, 2)),
    state: 'waiting',
    wait: 'retry',
    fault: 'disconnected',
    attempt: 1,
    sentBytes: 1_500_000,
    detail: '203.0.113.7',
  },
];

export async function openFirmware(setUp: FirmwareSetUp = {}) {
  const { permission = ['fwupdate'], locale = 'en', query = '' } = setUp;
  // In a window as wide as a phone the grid shows every row, as it needs no measure of its box.
  setWindowWidth(400);
  setPageQuery(query, 'replace');
  onTestFinished(() => {
    setWindowWidth(1024);
    setPageQuery('', 'replace');
  });
  const gateway = planGateway({ user: { permission: [...permission], timezone: 'Asia/Taipei' } });
  const sockets = fakeSockets();
  const images = keep(gateway, FIRMWARE_IMAGES_PATH, setUp.images ?? [aFirmwareImage()]);
  const models = keep(gateway, FIRMWARE_MODELS_PATH, setUp.models ?? []);
  const tasks = keepTasks(gateway, setUp.tasks ?? [aFirmwareTask()]);
  const devices = setUp.devices ?? [aFirmwareDevice()];
  gateway.on(`GET ${FIRMWARE_VERSIONS_PATH}`, () => ok(setUp.versions ?? []));
  gateway.on(`GET ${FIRMWARE_INSTALLED_PATH}`, () => ok(pageOf(setUp.installed ?? [])));
  gateway.on(`GET ${FIRMWARE_DEVICES_PATH}`, ({ query: asked }) => {
    const state = asked.get('state');
    return ok(pageOf(devices.filter((device) => state === null || device.state === state)));
  });
  gateway.on(`GET ${FIRMWARE_STEPS_PATH}`, () => ok(setUp.steps ?? STEPS));
  gateway.on(`POST ${FIRMWARE_REACH_PATH}`, () => ok(setUp.reach ?? REACH));
  gateway.on(`POST ${FIRMWARE_RESTART_PATH}`, () => ok({}));
  gateway.on(`DELETE ${UPLOAD_STATE_PATH}`, () => ok({}));
  await renderPage(<FirmwarePage />, locale);
  return { gateway, sockets, images, models, tasks, user: userEvent.setup() };
}

function pageOf(rows: readonly unknown[]) {
  return { rows, total: rows.length, hasMoreThanTotal: false, next: null, previous: null };
}

interface Kept {
  readonly id: number;
  readonly version: number;
}

/** A list by id, with its changes. */
function keep<Row extends Kept>(gateway: FakeGateway, path: string, given: readonly Row[]): Map<number, Row> {
  const kept = new Map(given.map((row) => [row.id, row]));
  gateway.on(`GET ${path}`, ({ query }) => {
    const state = query.get('state');
    return ok(
      pageOf([...kept.values()].filter((row) => state === null || (row as { state?: string }).state === state)),
    );
  });
  gateway.on(`POST ${path}`, ({ body }) => {
    const id = 100 + kept.size;
    const { upload: _, ...content } = body as { upload?: string };
    const added = { ...ADDED[path], ...content, id, version: 1 } as unknown as Row;
    kept.set(id, added);
    planRow(gateway, `${path}/${id}`, kept, id);
    return ok(added);
  });
  for (const { id } of given) planRow(gateway, `${path}/${id}`, kept, id);
  return kept;
}

/** Fields that the gateway itself gives a new record. */
const ADDED: Readonly<Record<string, object>> = {
  [FIRMWARE_IMAGES_PATH]: aFirmwareImage(),
  [FIRMWARE_TASKS_PATH]: aFirmwareTask(),
};

function planRow<Row extends Kept>(gateway: FakeGateway, path: string, kept: Map<number, Row>, id: number): void {
  gateway.on(`GET ${path}`, () => ok(kept.get(id)));
  gateway.on(`PUT ${path}`, ({ body }) => {
    const known = kept.get(id) as Row;
    const change = body as Row;
    if (change.version !== known.version) return conflict(known);
    const isApproved = (known as { state?: string }).state === 'approved';
    kept.set(id, { ...known, ...change, ...(isApproved && { state: 'draft' }), version: known.version + 1 });
    return ok(kept.get(id));
  });
  gateway.on(`DELETE ${path}`, () => {
    kept.delete(id);
    return ok({});
  });
}

function conflict(current: Kept) {
  return json({ error: true, code: 'conflict', message: 'conflict', data: { current } }, { status: 409 });
}

function keepTasks(gateway: FakeGateway, given: readonly FirmwareTask[]): Map<number, FirmwareTask> {
  const tasks = keep(gateway, FIRMWARE_TASKS_PATH, given);
  const next = {
    approve: 'approved',
    start: 'running',
    pause: 'paused',
    resume: 'running',
    stop: 'stopped',
    retry: 'running',
  };
  for (const { id } of given) {
    gateway.on(`POST ${firmwareActPath(id)}`, ({ body }) => {
      const { act, version } = body as { act: keyof typeof next; version: number };
      const known = tasks.get(id) as FirmwareTask;
      if (version !== known.version) return conflict(known);
      const acted = { ...known, state: next[act] as FirmwareTask['state'], version: known.version + 1 };
      tasks.set(id, acted);
      return ok(acted);
    });
  }
  return tasks;
}

export const rows = () => [...document.querySelectorAll<HTMLElement>('.MuiDataGrid-row')];
export const rowOf = (text: string) =>
  rows().find((row) => row.textContent?.includes(text)) ?? expect.fail(`no row ${text}`);
export const shown = (text: string) =>
  waitFor(() => expect(rows().some((row) => row.textContent?.includes(text))).toBe(true));
