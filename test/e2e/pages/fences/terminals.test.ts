// Geofences of each kind from the pointer into terminals: drawn, sent, confirmed, and entered by a vehicle that drives on.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LAP_MS, routeAt } from '../../../../server/demo/route.ts';
import type { ScriptStep } from '../../../../server/demo/script/vehicleScript.ts';
import { SimulatedTerminal } from '../../../../server/demo/terminal.ts';
import type { VehicleProfile } from '../../../../server/demo/vehicleProfile.ts';
import { EVENTS_PATH, type EventRow } from '../../../../shared/protocol/api/events.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { startTrackScene, type TrackScene } from '../tracks/trackScene.ts';
import { addLandmark, begin, clickMap, edit, field, type MapPlace, openFences, row, save } from './fenceTools.ts';

/** In meters and seconds. From where they wait, the vehicles see nothing of what is drawn around the place they come to. */
const AWAY = 250;
const SOONEST = 30;
const METERS_A_DEGREE = 111_195;
const COMMON = { plate: 'KAA-0001', channels: 1, lapShare: 0, positionSeconds: 1 } as const;
const OLDER = { ...COMMON, deviceId: 'VAN2013', name: 'Older van', number: '13900003101', edition: '2013' } as const;
const NEWER = { ...COMMON, deviceId: 'VAN2019', name: 'Newer van', number: '13900003102', edition: '2019' } as const;

/** The vehicle stands until it is told to drive on. */
class WaitingVehicle {
  readonly #script: ScriptStep[] = [{ kind: 'pace', pace: 0, atSeconds: 0, rampSeconds: 0 }];
  readonly #startedMs = Date.now();
  readonly #terminal: SimulatedTerminal;

  constructor(profile: VehicleProfile, port: number) {
    this.#terminal = new SimulatedTerminal({
      profile: { ...profile, script: this.#script },
      gateway: { host: '127.0.0.1', port },
    });
    this.#terminal.start();
  }

  driveOn(): void {
    const forSeconds = (Date.now() - this.#startedMs) / 1_000;
    this.#script[0] = { kind: 'pace', pace: 0, atSeconds: 0, rampSeconds: 0, forSeconds };
    this.#script.push({ kind: 'pace', pace: 2, atSeconds: forSeconds, rampSeconds: 0 });
  }

  stop(): void {
    this.#terminal.stop();
  }
}

/** Where on the lap a vehicle gets far away soonest, and where it is then. */
function soonestAway(): { readonly fromMs: number; readonly place: readonly [lng: number, lat: number] } {
  for (let fromMs = 0; fromMs < LAP_MS; fromMs += 10_000) {
    const [from, to] = [routeAt(fromMs, 0), routeAt(fromMs + SOONEST * 1_000, 0)];
    const north = (to.latitude - from.latitude) * METERS_A_DEGREE;
    const east = (to.longitude - from.longitude) * METERS_A_DEGREE * Math.cos((to.latitude * Math.PI) / 180);
    if (Math.hypot(north, east) > AWAY) return { fromMs, place: [to.longitude, to.latitude] };
  }
  throw new Error('the vehicle never gets away');
}

let scene: TrackScene;
let vehicles: readonly WaitingVehicle[] = [];
beforeAll(async () => {
  const { fromMs, place } = soonestAway();
  scene = await startTrackScene({ vehicles: [OLDER, NEWER] });
  await addLandmark(scene, place);
  const lapShare = ((((fromMs - Date.now()) % LAP_MS) + LAP_MS) % LAP_MS) / LAP_MS;
  vehicles = [OLDER, NEWER].map((profile) => new WaitingVehicle({ ...profile, lapShare }, scene.product.jt808Port));
});
afterAll(async () => {
  for (const vehicle of vehicles) vehicle.stop();
  await scene?.close();
});

interface Drawn {
  readonly kind: string;
  readonly name: string;
  readonly places: readonly MapPlace[];
  readonly vehicle: Pick<VehicleProfile, 'deviceId' | 'name'>;
  /** Of the edition. */
  readonly note: string;
}

const NOT_READ_BACK = "This terminal can't be read back";
const DRAWN: readonly Drawn[] = [
  {
    kind: 'Circle',
    name: 'Round yard',
    places: [
      [0, 0],
      [60, 0],
    ],
    vehicle: OLDER,
    note: NOT_READ_BACK,
  },
  {
    kind: 'Rectangle',
    name: 'Square yard',
    places: [
      [-70, -60],
      [70, 60],
    ],
    vehicle: NEWER,
    note: '',
  },
  {
    kind: 'Polygon',
    name: 'Corner yard',
    places: [
      [-80, -70],
      [0, 90],
      [80, -70],
      [-80, -70],
    ],
    vehicle: NEWER,
    note: '',
  },
  {
    kind: 'Corridor',
    name: 'Yard road',
    places: [
      [-60, 0],
      [60, 20],
      [60, 20],
    ],
    vehicle: OLDER,
    note: NOT_READ_BACK,
  },
];

test.each(DRAWN)('a $kind goes into a terminal, which confirms it', async ({ kind, name, places, vehicle, note }) => {
  const page = await openFences(scene);
  await begin(page, kind, name);
  await clickMap(page, ...places);
  await page.getByRole('button', { name: 'Draw again' }).waitFor();
  if (kind === 'Corridor') await field(page, 'Width (m)').fill('120');
  await save(page, name);
  await edit(page, name).click();
  await page.getByRole('tab', { name: 'Terminals' }).click();
  await send(page, vehicle.name);
  const line = row(page, vehicle.name);
  await line.getByText('Confirmed', { exact: true }).waitFor();
  await expect.poll(() => line.innerText()).toContain(note);
});

async function send(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Send to devices' }).click();
  await page.getByRole('option', { name }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Send to terminals' }).click();
}

/** The names of the geofences that events of the type tell of. */
async function namesIn(deviceId: string, type: string): Promise<readonly string[]> {
  const path = `${EVENTS_PATH}?deviceid=${deviceId}`;
  const { rows } = (await scene.call('chief', 'GET', path)) as { readonly rows: readonly EventRow[] };
  return rows.filter((event) => event.type === type).map(({ areaName }) => areaName);
}

test('a vehicle that drives into them is in the list of events with the names of all four', async () => {
  const vans = [OLDER, NEWER];
  for (const { deviceId } of vans) expect(await namesIn(deviceId, 'fence-entered')).toEqual([]);
  for (const vehicle of vehicles) vehicle.driveOn();
  for (const { name } of DRAWN) {
    for (const { deviceId } of vans) {
      const entered = () => namesIn(deviceId, 'fence-entered');
      await waitFor(`${deviceId} enters ${name}`, entered, (names) => names.includes(name));
    }
  }
  const page = await scene.openPage('chief', '/innerpage/historyevent.html');
  for (const { name } of DRAWN) await page.getByText(`Entered a geofence · ${name}`).first().waitFor();
});

test('what a terminal tells by itself bears the name of its geofence', async () => {
  for (const { name, kind, vehicle } of DRAWN) {
    const type = kind === 'Corridor' ? 'route-crossed' : 'area-crossed';
    const told = () => namesIn(vehicle.deviceId, type);
    await waitFor(`the terminal tells of ${name}`, told, (names) => names.includes(name));
  }
});
