// Seeks in a terminal's recording at the rate that the terminal can follow: one seek at a time, and of the waiting ones
// only the newest. While playback is paused, the terminal plays on until the picture at the new position has come:
// JT/T 1078 doesn't say whether a paused terminal sends anything after a seek (0x9202, command 5).

import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { RemoteFeed } from '../../device/playback/remoteSource.ts';
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { type SeekCandidate, SeekGate } from './seekGate.ts';

export interface RemoteSeekDeps {
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly isPaused: () => boolean;
  /** The terminal can't seek and stays where it was. */
  readonly refused: () => void;
  readonly onFault: OnFault;
}

/** Longest time that a paused terminal plays on for one picture. */
const GLANCE_MS = 10_000;

interface Target {
  readonly position: WallMs;
  /** Undefined until the seek has been sent: nothing can come from the new position before. */
  gate: SeekGate | undefined;
}

export class RemoteSeek {
  readonly #deps: RemoteSeekDeps;
  /** The seek under way, until its first packet has come. */
  #target: Target | undefined;
  #isOrdering = false;
  /** The picture for which the terminal plays on although playback is paused. */
  #glance: { readonly position: WallMs; readonly feed: RemoteFeed; readonly cancel: () => void } | undefined;

  constructor(deps: RemoteSeekDeps) {
    this.#deps = deps;
  }

  /** Packets are still from the old position, except the one that `admits` accepts. */
  get isUnderway(): boolean {
    return this.#target !== undefined;
  }

  async to(position: WallMs, feed: RemoteFeed): Promise<void> {
    this.#target = { position, gate: undefined };
    if (this.#isOrdering) return;
    this.#isOrdering = true;
    // Media of one seek may still be on its way when the next one is sent.
    let follows = false;
    for (let next = this.#unordered; next !== undefined; next = this.#unordered) {
      await this.#order(next, feed, follows);
      follows = true;
    }
    this.#isOrdering = false;
  }

  /** Returns the position sought if this is the first packet from there. */
  admits(candidate: SeekCandidate): WallMs | undefined {
    const target = this.#target;
    if (target?.gate?.admits(candidate, this.#deps.now()) !== true) return undefined;
    this.#target = undefined;
    return target.position;
  }

  /** A picture has been sent to the viewer. */
  shown(position: WallMs): void {
    if (this.#glance !== undefined && position >= this.#glance.position) this.#endGlance();
  }

  /** Playback has resumed, so the terminal need not be paused after the picture. */
  resumed(): void {
    this.#glance?.cancel();
    this.#glance = undefined;
  }

  close(): void {
    this.resumed();
    this.#target = undefined;
  }

  get #unordered(): Target | undefined {
    return this.#target?.gate === undefined ? this.#target : undefined;
  }

  async #order(target: Target, feed: RemoteFeed, follows: boolean): Promise<void> {
    const { position } = target;
    const gate = new SeekGate(position, follows);
    target.gate = gate;
    if (this.#deps.isPaused()) this.#startGlance(position, feed);
    // Terminals count in whole seconds.
    const hasObeyed = await feed.seek(wallMs(Math.floor(position / 1_000) * 1_000));
    gate.answered(this.#deps.now());
    if (!hasObeyed && this.#target === target) {
      this.#target = undefined;
      this.#endGlance();
      this.#deps.refused();
      return;
    }
    // Terminals differ in whether they stay paused after a seek.
    if (this.#deps.isPaused() && this.#glance !== undefined && this.#unordered === undefined) await feed.play();
  }

  #startGlance(position: WallMs, feed: RemoteFeed): void {
    this.#glance?.cancel();
    const cancel = this.#deps.runAfter(GLANCE_MS, () => this.#endGlance());
    this.#glance = { position, feed, cancel };
  }

  #endGlance(): void {
    const glance = this.#glance;
    if (glance === undefined) return;
    this.resumed();
    if (this.#deps.isPaused()) inBackground('a terminal could not be paused', glance.feed.pause(), this.#deps.onFault);
  }
}
