// The connection that controls a camera. One person has it at a time; a movement lasts until it is stopped or the
// connection ends.
import type { ControlEvent, PtzMessage } from '../../../protocol/stream/controlMessages.ts';
import type { ControlLine, PlayerEngine, StreamReport } from '../../engine/engine.ts';
import { type LineState, nextLineState } from '../lineState.ts';

/** What lasts while a button is held. */
export type Movement = Extract<PtzMessage, { type: 'move' | 'zoom' | 'focus' | 'iris' }>;
export type CameraSwitch = Extract<PtzMessage, { type: 'wiper' | 'infrared' }>;

export interface CameraEvents {
  readonly onState: (state: LineState) => void;
  /** A command was not carried out. */
  readonly onFailed: (failure: ControlEvent & { readonly type: 'failed' }) => void;
}

/** Owns the line. */
export class CameraLine {
  readonly #events: CameraEvents;
  readonly #line: ControlLine;
  #state: LineState = { kind: 'opening' };
  #moving: object | undefined;

  constructor(engine: PlayerEngine, url: string, events: CameraEvents) {
    this.#events = events;
    this.#line = engine.openControl(url, (report) => this.#note(report));
  }

  /** `by` identifies the button. Only the same button stops the movement; another movement takes over. */
  start(by: object, movement: Movement): void {
    if (this.#state.kind !== 'ready') return;
    this.#moving = by;
    this.#line.send(movement);
  }

  /** Stops the movement started by `by`, or any movement if left out. Sends nothing if nothing is moving. */
  stop(by = this.#moving): void {
    if (this.#moving === undefined || this.#moving !== by) return;
    this.#moving = undefined;
    this.#line.send({ type: 'stop' });
  }

  switch(message: CameraSwitch): void {
    if (this.#state.kind === 'ready') this.#line.send(message);
  }

  /** Safe to call twice. */
  close(): void {
    this.stop();
    this.#line.close();
  }

  #note(report: StreamReport): void {
    if (report.type === 'control' && report.event.type === 'failed') this.#events.onFailed(report.event);
    const next = nextLineState(this.#state, report);
    if (next === this.#state) return;
    this.#state = next;
    if (next.kind !== 'ready') this.#moving = undefined;
    this.#events.onState(next);
  }
}
