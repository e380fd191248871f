// The page's side of what its device plays: asks the device again when its playback is gone, from where the viewer was. Plain
// TypeScript. The tile connects, the session knows the place, the server holds the device.
import type { ApiFailure, ApiResult } from '../../shared/api/client.ts';
import type { RemotePlayRequest } from '../../shared/api/recordings/remotePlayback.ts';
import {
  type DeviceSide,
  PlaybackController,
  type SessionDeps,
} from '../../shared/player/playback/playbackController.ts';
import type { TimeRange } from '../../shared/player/playback/timeline/ranges.ts';
import type { ViewerMessage } from '../../shared/protocol/stream/streamMessages.ts';
import { continuedPlay, isLostSession, isRetryable } from './remoteRules.ts';

export interface RemotePlayDeps {
  readonly ask: (play: RemotePlayRequest) => Promise<ApiResult<unknown>>;
  readonly hold: SessionDeps['hold'];
}

export type RemotePlayState =
  | { readonly kind: 'settled' }
  /** The device has been asked to play and has not answered. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'failed'; readonly failure: ApiFailure };

const SETTLED: RemotePlayState = { kind: 'settled' };

export class RemotePlay implements DeviceSide {
  readonly bounds: TimeRange;
  readonly session: PlaybackController;
  readonly #play: RemotePlayRequest;
  readonly #deps: RemotePlayDeps;
  readonly #listeners = new Set<() => void>();
  #tile: { retry(): void } | undefined;
  #state: RemotePlayState = SETTLED;
  /** The device plays, and the tile is on its way to it. */
  #isConnecting = false;
  /** Since it was last asked: one whose playback is gone before it began would be asked for ever. */
  #hasPlayed = false;

  constructor(play: RemotePlayRequest, deps: RemotePlayDeps) {
    const fromMs = play.spbtime * 1_000;
    this.bounds = { fromMs, toMs: fromMs + play.duration * 1_000 };
    this.#play = play;
    this.#deps = deps;
    this.session = new PlaybackController(deps.hold, undefined, this);
    this.session.subscribe(() => {
      if (!this.session.isOpen) return;
      this.#isConnecting = false;
      this.#hasPlayed = true;
    });
  }

  get state(): RemotePlayState {
    return this.#state;
  }

  /** Calls after every change of the state; gives its own cancel. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The one that connects when the device plays again. */
  readonly setTile = (_channel: number, tile: { retry(): void } | undefined): void => {
    this.#tile = tile;
  };

  unheard(type: ViewerMessage['type']): void {
    if (type === 'resume' && this.session.state.hasEnded) {
      // Comes back here, as a seek.
      this.session.seek(this.bounds.fromMs);
    } else if (type === 'resume' || type === 'seek') void this.#ask();
  }

  recovers(code: string): boolean {
    this.#isConnecting = false;
    // Nobody waits for a picture of a playback that is paused: the device is left alone until somebody does.
    if (this.session.state.isPaused) return false;
    if (!isRetryable(code) || !this.#hasPlayed) {
      this.session.halt();
      return false;
    }
    void this.#ask();
    return isLostSession(code);
  }

  async #ask(): Promise<void> {
    if (this.#state.kind === 'asking' || this.#isConnecting) return;
    this.#tell({ kind: 'asking' });
    const result = await this.#deps.ask(continuedPlay(this.#play, this.session.positionMs()));
    if (!result.ok) {
      this.#tell({ kind: 'failed', failure: result });
      return;
    }
    this.#isConnecting = true;
    this.#hasPlayed = false;
    this.#tell(SETTLED);
    this.#tile?.retry();
  }

  #tell(state: RemotePlayState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
