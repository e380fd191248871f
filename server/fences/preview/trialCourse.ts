// Takes the stored positions of one device through a fence, by the machine that takes those of now.
import type { PositionDetails } from '../../device/jt808/codec/positionItems.ts';
import type { Position } from '../../store/fleet/positions.ts';
import type { DevicePlace } from '../directory/devicePlaces.ts';
import type { FenceSet } from '../directory/fenceSet.ts';
import { FenceCourse } from '../engine/fenceCourse.ts';
import type { FenceLog } from '../engine/fenceLog.ts';
import { fencePointOf } from '../engine/fencePoint.ts';

export interface RaisedEvent {
  readonly device: DevicePlace;
  readonly type: string;
  /** By the gateway's clock, as far as it can be told. */
  readonly atMs: number;
  readonly lat: number;
  readonly lng: number;
}

const NOTHING = (): void => undefined;

export class TrialCourse {
  readonly #around: { readonly set: FenceSet; readonly device: DevicePlace; readonly log: FenceLog };
  readonly #course = new FenceCourse({ isUnknown: true });
  #at: Position | undefined;
  /** How far the gateway's clock was ahead when a position last came as it was measured. */
  #offsetMs = 0;

  constructor(around: { readonly set: FenceSet; readonly device: DevicePlace }, onEvent: (event: RaisedEvent) => void) {
    const log: FenceLog = {
      emit: ({ type, form, sinceMs }) => {
        const at = this.#at;
        if (form === 'end' || at === undefined) return;
        const atMs = (sinceMs ?? at.deviceTimeMs) + this.#offsetMs;
        onEvent({ device: around.device, type, atMs, lat: at.latitude, lng: at.longitude });
      },
      entered: NOTHING,
      left: NOTHING,
      passed: NOTHING,
      watchedOutside: NOTHING,
      dropped: NOTHING,
      isNews: () => true,
      onStatesFull: NOTHING,
    };
    this.#around = { ...around, log };
  }

  /** In the order of the device's clock. */
  take(position: Position, details: PositionDetails): void {
    const point = fencePointOf(position, details, true);
    if (point === undefined) return;
    this.#tickUntil(point.atMs);
    this.#at = position;
    if (position.isLate !== true) this.#offsetMs = position.receivedAtMs - position.deviceTimeMs;
    this.#course.step(point, this.#around);
  }

  /** What time alone has raised since the last position. */
  end(nowMs: number): void {
    this.#tickUntil(nowMs);
  }

  #tickUntil(untilMs: number): void {
    let lastMs = Number.NEGATIVE_INFINITY;
    for (let dueMs = this.#course.dueAtMs; dueMs <= untilMs && dueMs > lastMs; dueMs = this.#course.dueAtMs) {
      this.#course.tick(dueMs, this.#around);
      lastMs = dueMs;
    }
  }
}
