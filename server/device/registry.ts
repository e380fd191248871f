import type { TerminalFacts } from './terminalFacts.ts';
import type { TerminalSession } from './terminalSession.ts';

export interface Presence {
  readonly session: TerminalSession;
  readonly onlineSinceMs: number;
}

export type PresenceListener = (deviceId: string, presence: Presence | undefined) => void;

/** Degrees, WGS 84. */
export interface Fix {
  readonly latitude: number;
  readonly longitude: number;
}

/** State that is remembered of a device while its terminal is offline. */
interface Remembered {
  videoLost: number;
  ignitionOn: boolean | undefined;
  facts: TerminalFacts;
  lastFix: Fix | undefined;
  lastMessageAtMs: number | undefined;
}

/** The devices that are signed in now, and what they last reported of themselves. It fills again as terminals sign in. */
export class DeviceRegistry {
  readonly #present = new Map<string, Presence>();
  readonly #remembered = new Map<string, Remembered>();
  readonly #listeners = new Set<PresenceListener>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get onlineCount(): number {
    return this.#present.size;
  }

  session(deviceId: string): TerminalSession | undefined {
    return this.#present.get(deviceId)?.session;
  }

  presence(deviceId: string): Presence | undefined {
    return this.#present.get(deviceId);
  }

  /** Call this when a terminal has signed in. An older session of the same device is dead, even if its socket does not know yet. */
  enter(session: TerminalSession): void {
    const older = this.#present.get(session.deviceId)?.session;
    const presence = { session, onlineSinceMs: this.#now() };
    this.#present.set(session.deviceId, presence);
    older?.close();
    this.#tell(session.deviceId, presence);
  }

  /** Call this when the session has ended; one that was replaced meanwhile changes nothing. */
  leave(session: TerminalSession): void {
    if (this.session(session.deviceId) !== session) return;
    this.#present.delete(session.deviceId);
    this.#tell(session.deviceId, undefined);
  }

  /**
   * Call this when the device was deleted or assigned to another terminal: the connected terminal is cut, and
   * everything remembered of it is dropped.
   */
  forget(deviceId: string): void {
    this.#remembered.delete(deviceId);
    this.session(deviceId)?.close();
  }

  /** Adds facts about the terminal. */
  learn(deviceId: string, facts: TerminalFacts): void {
    const remembered = this.#of(deviceId);
    remembered.facts = { ...remembered.facts, ...facts };
  }

  facts(deviceId: string): TerminalFacts {
    return this.#remembered.get(deviceId)?.facts ?? {};
  }

  /** Bit n: channel n+1 has no video signal. Kept while the terminal is offline, since that repairs no camera. */
  setVideoLost(deviceId: string, bits: number): void {
    this.#of(deviceId).videoLost = bits;
  }

  videoLost(deviceId: string): number {
    return this.#remembered.get(deviceId)?.videoLost ?? 0;
  }

  setIgnition(deviceId: string, isOn: boolean): void {
    this.#of(deviceId).ignitionOn = isOn;
  }

  /** The ignition as last reported; undefined until the terminal has reported it. */
  ignitionOn(deviceId: string): boolean | undefined {
    return this.#remembered.get(deviceId)?.ignitionOn;
  }

  /** Notes the time of a message of the terminal, whatever its kind. */
  noteMessage(deviceId: string): void {
    this.#of(deviceId).lastMessageAtMs = this.#now();
  }

  /** Undefined until a message came since the gateway started. */
  lastMessageAtMs(deviceId: string): number | undefined {
    return this.#remembered.get(deviceId)?.lastMessageAtMs;
  }

  setLastFix(deviceId: string, fix: Fix): void {
    this.#of(deviceId).lastFix = fix;
  }

  lastFix(deviceId: string): Fix | undefined {
    return this.#remembered.get(deviceId)?.lastFix;
  }

  /** Returns a function that removes the listener. */
  subscribe(listener: PresenceListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #of(deviceId: string): Remembered {
    const known = this.#remembered.get(deviceId);
    if (known !== undefined) return known;
    const unsaid = { ignitionOn: undefined, lastFix: undefined, lastMessageAtMs: undefined };
    const remembered: Remembered = { videoLost: 0, facts: {}, ...unsaid };
    this.#remembered.set(deviceId, remembered);
    return remembered;
  }

  #tell(deviceId: string, presence: Presence | undefined): void {
    for (const listener of this.#listeners) listener(deviceId, presence);
  }
}
