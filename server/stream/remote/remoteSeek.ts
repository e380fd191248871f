// Takes a terminal to other places of its recording, as fast as it follows: one order at a time, of those that wait only the
// newest. While playback is paused the terminal is let go on until the picture there has come.

import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { RemoteFeed } from '../../device/playback/remoteSource.ts';
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { type SeekCandidate, SeekGate } from './seekGate.ts';

export interface RemoteSeekDeps {
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly isPaused: () => boolean;
  /** The terminal cannot: it stays where it was. */
  readonly refused: () => void;
  readonly onFault: OnFault;
}

/** A terminal that was let go on for one picture is stopped after this, picture or not. */
const GLANCE_MS = 10_000;

interface Target {
  readonly position: WallMs;
  /** Undefined until the order has gone out: nothing comes from there yet. */
  gate: SeekGate | undefined;
}

export class RemoteSeek {
  readonly #deps: RemoteSeekDeps;
  /** Until its first packet has come. */
  #target: Target | undefined;
  #isOrdering = false;
  /** The picture for which the terminal goes on although playback is paused. */
  #glance: { readonly position: WallMs; readonly feed: RemoteFeed; readonly cancel: () => void } | undefined;

  constructor(deps: RemoteSeekDeps) {
    this.#deps = deps;
  }

  /** Packets that come now are of the old place, but for the one that `admits` lets in. */
  get isUnderway(): boolean {
    return this.#target !== undefined;
  }

  async to(position: WallMs, feed: RemoteFeed): Promise<void> {
    this.#target = { position, gate: undefined };
    if (this.#isOrdering) return;
    this.#isOrdering = true;
    // What an order brings may still be on its way when the next one goes out.
    let follows = false;
    for (let next = this.#unordered; next !== undefined; next = this.#unordered) {
      await this.#order(next, feed, follows);
      follows = true;
    }
    this.#isOrdering = false;
  }

  /** The place that was sought when this is the first packet from there. */
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

  /** Playback goes on: so does the terminal. */
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
    // Terminals differ in whether they stay paused when they are taken elsewhere.
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
