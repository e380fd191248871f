// Fences as the gateway has them, about a place in Taiwan.
import { devicePlacesOf } from '../../server/fences/directory/devicePlaces.ts';
import { FenceSet } from '../../server/fences/directory/fenceSet.ts';
import type { StoredFence } from '../../server/fences/directory/fenceSource.ts';
import { prepareFence } from '../../server/fences/directory/preparedFence.ts';
import type { FencedDevice, FencePlaces } from '../../server/store/fences/fencePlaces.ts';
import type { FenceContent, FenceRules, LngLat } from '../../shared/protocol/api/fences/fences.ts';
import { wallMs } from '../../shared/protocol/time.ts';

const NO_FENCE_RULES: FenceRules = {
  enter: false,
  leave: false,
  insideMinutes: 0,
  outsideMinutes: 0,
  speedKmh: 0,
  parkedMinutes: 0,
  wrongDirection: false,
};

/** A square of about 1.1 km: 24.00 to 24.01 north. */
const SQUARE: readonly LngLat[] = [
  [120.5, 24],
  [120.51, 24],
  [120.51, 24.01],
  [120.5, 24.01],
  [120.5, 24],
];

export function fenceContent({
  rules = {},
  ...content
}: Partial<Omit<FenceContent, 'rules'>> & { readonly rules?: Partial<FenceRules> } = {}): FenceContent {
  return {
    name: 'Depot',
    enabled: true,
    kind: 'polygon',
    geometry: { type: 'Polygon', coordinates: [SQUARE] },
    radiusMeters: 0,
    widthMeters: 0,
    color: '#1976d2',
    validFromMs: wallMs(0),
    validToMs: wallMs(0),
    schedule: [],
    timeZone: '',
    deviceGroups: [],
    devices: [],
    ...content,
    rules: { ...NO_FENCE_RULES, ...rules },
  };
}

export function storedFence(content: Parameters<typeof fenceContent>[0] = {}, id = 1, memberGroup = 1): StoredFence {
  return { id, memberGroup, version: 1, content: fenceContent(content) };
}

export const FENCED_DEVICE: FencedDevice = {
  deviceId: 'BUS1',
  name: 'Bus 1',
  incarnation: 7,
  archiveNumber: 1,
  deviceGroup: 11,
  timeZone: 'UTC',
};

/** Member group 1 owns device group 11 with the device, which lies in group 10. */
export const FENCE_PLACES: FencePlaces = {
  devices: [FENCED_DEVICE],
  parents: new Map([
    [10, undefined],
    [11, 10],
  ]),
  owners: new Map([[11, new Set([1])]]),
};

export function fenceSet(fences: readonly StoredFence[], places: FencePlaces = FENCE_PLACES): FenceSet {
  return new FenceSet(
    fences.flatMap((fence) => prepareFence(fence) ?? []),
    devicePlacesOf(places),
  );
}
