import type { ControlTarget } from '../../device/controls.ts';

export type ControlKind = 'ptz' | 'talk';

/** Who controls what. A lock lasts as long as its socket, so memory is enough to keep it. */
export class ControlLocks {
  readonly #taken = new Set<string>();

  /**
   * Returns the release of the lock; undefined while somebody else has it. PTZ is locked per camera, talk per vehicle,
   * which has one loudspeaker.
   */
  take(kind: ControlKind, { deviceId, channel }: ControlTarget): (() => void) | undefined {
    const text = kind === 'ptz' ? `ptz/${deviceId}/${channel}` : `talk/${deviceId}`;
    if (this.#taken.has(text)) return undefined;
    this.#taken.add(text);
    let isHeld = true;
    return () => {
      if (isHeld) this.#taken.delete(text);
      isHeld = false;
    };
  }
}
