import type { TerminalSession } from './terminalSession.ts';

export interface Presence {
  readonly session: TerminalSession;
  readonly onlineSinceMs: number;
}

export type PresenceListener = (deviceId: string, presence: Presence | undefined) => void;

/** Which devices are signed in now, and what they last said of their channels. Rebuilt by itself as terminals sign in. */
export class DeviceRegistry {
  readonly #present = new Map<string, Presence>();
  readonly #videoLost = new Map<string, number>();
  readonly #listeners = new Set<PresenceListener>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  session(deviceId: string): TerminalSession | undefined {
    return this.#present.get(deviceId)?.session;
  }

  presence(deviceId: string): Presence | undefined {
    return this.#present.get(deviceId);
  }

  /** A terminal has signed in. An older session of the same device is dead, even if its socket does not know yet. */
  enter(session: TerminalSession): void {
    const older = this.#present.get(session.deviceId)?.session;
    const presence = { session, onlineSinceMs: this.#now() };
    this.#present.set(session.deviceId, presence);
    older?.close();
    this.#tell(session.deviceId, presence);
  }

  /** The session has ended; one that was replaced meanwhile changes nothing. */
  leave(session: TerminalSession): void {
    if (this.session(session.deviceId) !== session) return;
    this.#present.delete(session.deviceId);
    this.#tell(session.deviceId, undefined);
  }

  /** Bit n: channel n+1 has no video signal. Kept while the terminal is away: idleness and absence repair no camera. */
  setVideoLost(deviceId: string, bits: number): void {
    this.#videoLost.set(deviceId, bits);
  }

  videoLost(deviceId: string): number {
    return this.#videoLost.get(deviceId) ?? 0;
  }

  /** Returns its own removal. */
  subscribe(listener: PresenceListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(deviceId: string, presence: Presence | undefined): void {
    for (const listener of this.#listeners) listener(deviceId, presence);
  }
}
