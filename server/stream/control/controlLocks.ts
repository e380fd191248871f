import type { ControlTarget } from '../../device/controls.ts';

export type ControlKind = 'ptz' | 'talk';

/** Who holds what. A hold is a socket, so the gateway's memory is the place for it. */
export class ControlLocks {
  readonly #taken = new Set<string>();

  /** Gives the end of the hold; undefined while somebody else has it. A vehicle has many cameras and one loudspeaker. */
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
