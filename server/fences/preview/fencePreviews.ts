// Events that a fence would have raised in the last days, from the stored positions of its devices.
import {
  FENCE_PREVIEW_DAYS,
  type FenceContent,
  type FencePreview,
  MAX_PREVIEW_EVENTS,
} from '../../../shared/protocol/api/fences/fences.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { detailsOf } from '../../events/rules/positionInput.ts';
import { KeyedCount } from '../../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { FencePlaceStore } from '../../store/fences/fencePlaces.ts';
import type { Position, PositionStore } from '../../store/fleet/positions.ts';
import { covers, type DevicePlace, devicePlacesOf } from '../directory/devicePlaces.ts';
import { FenceSet } from '../directory/fenceSet.ts';
import { prepareFence } from '../directory/preparedFence.ts';
import { type RaisedEvent, TrialCourse } from './trialCourse.ts';

/**
 * Previews of geofences at a time: each reads hundreds of thousands of rows and evaluates them on the thread that relays media. A further
 * one is refused with 429 `too-many-previews`.
 */
export const FENCE_PREVIEWS_LIMIT: Limit = { name: 'fences.previews.all', max: 1 };
/** Positions that a preview looks at, of all devices together. Devices later in the list are left out, and the preview says so. */
export const PREVIEW_POSITIONS_LIMIT: Limit = { name: 'fences.positions.preview', max: 500_000 };
const DAY_MS = 86_400_000;
/** Positions that are read and evaluated before anything else has its turn: some milliseconds. */
const PART = 500;

export interface FencePreviewsDeps {
  readonly positions: Pick<PositionStore, 'between'>;
  readonly places: FencePlaceStore;
  readonly now: () => number;
  /** Lets waiting work have its turn. */
  readonly nextTurn: () => Promise<unknown>;
  readonly onLimit: OnLimit;
}

export interface PreviewedFence {
  readonly content: FenceContent;
  readonly memberGroup: number;
}

export class FencePreviews {
  readonly #deps: FencePreviewsDeps;
  readonly #running: KeyedCount;

  constructor(deps: FencePreviewsDeps) {
    this.#deps = deps;
    this.#running = new KeyedCount(FENCE_PREVIEWS_LIMIT, deps.onLimit);
  }

  /** Undefined while another preview is running. Throws the reason of `gone` when the caller no longer waits. */
  async preview(fence: PreviewedFence, gone?: AbortSignal): Promise<FencePreview | undefined> {
    const leave = this.#running.enter('');
    if (leave === undefined) return undefined;
    try {
      return await this.#run(fence, gone);
    } finally {
      leave();
    }
  }

  async #run({ content, memberGroup }: PreviewedFence, gone: AbortSignal | undefined): Promise<FencePreview> {
    const toMs = this.#deps.now();
    const fence = prepareFence({ id: 0, memberGroup, version: 0, content: { ...content, enabled: true } });
    const places = devicePlacesOf(await this.#deps.places.places());
    const devices = fence === undefined ? [] : [...places.values()].filter((device) => covers(fence, device));
    const set = new FenceSet(fence === undefined ? [] : [fence], places);
    const found: RaisedEvent[] = [];
    const budget = { positions: PREVIEW_POSITIONS_LIMIT.max };
    const range = { fromMs: toMs - FENCE_PREVIEW_DAYS * DAY_MS, toMs };
    let total = 0;
    let isCut = false;
    for (const device of devices) {
      const trial = new TrialCourse({ set, device }, (event) => {
        total++;
        if (found.length < MAX_PREVIEW_EVENTS) found.push(event);
      });
      isCut = !(await this.#drive(trial, device, { range, budget, gone }));
      if (isCut) break;
    }
    if (isCut) this.#deps.onLimit(PREVIEW_POSITIONS_LIMIT);
    const events = found.sort((left, right) => left.atMs - right.atMs).map(toPreviewEvent);
    return { devices: devices.length, total, events, isCut };
  }

  /** Evaluates positions by the device's clock; gives whether it was all of them. */
  async #drive(trial: TrialCourse, { deviceId }: DevicePlace, { range, budget, gone }: Drive): Promise<boolean> {
    let { fromMs } = range;
    let taken = 0;
    let last: Position | undefined;
    while (budget.positions > 0) {
      gone?.throwIfAborted();
      const limit = Math.min(PART, budget.positions) + taken;
      const part = await this.#deps.positions.between(deviceId, { fromMs, toMs: range.toMs }, limit);
      const fresh = part.slice(taken);
      for (const position of fresh) trial.take(position, detailsOf(position));
      budget.positions -= fresh.length;
      last = fresh.at(-1) ?? last;
      await this.#deps.nextTurn();
      if (part.length < limit || last === undefined) {
        trial.end(range.toMs);
        return true;
      }
      // The next part begins with the last moment; its positions that were already taken are skipped by their number.
      const lastMs = last.deviceTimeMs;
      taken = part.filter(({ deviceTimeMs }) => deviceTimeMs === lastMs).length;
      fromMs = lastMs;
    }
    return false;
  }
}

function toPreviewEvent({ device, type, atMs, lat, lng }: RaisedEvent): FencePreview['events'][number] {
  return { deviceid: device.deviceId, deviceName: device.name, type, atMs: wallMs(Math.round(atMs)), lat, lng };
}

interface Drive {
  readonly range: { readonly fromMs: number; readonly toMs: number };
  /** Positions that may still be evaluated. */
  readonly budget: { positions: number };
  readonly gone: AbortSignal | undefined;
}
