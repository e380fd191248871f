// One upload that a terminal has been asked for, from the request through its answer and the data to its end.
import type { CommandResult } from '../terminalSession.ts';
import { UploadCommand, type UploadEnd, type UploadRequest } from './uploadOrder.ts';

export interface PendingUploadDeps {
  readonly incarnation: number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  /** Sends 0x9207. */
  readonly control: (serial: number, command: number) => Promise<CommandResult>;
  readonly onOver: () => void;
}

/** Time without data and without an end. Long enough for a terminal that reads a slow card before it sends. */
export const UPLOAD_IDLE_MS = 5 * 60_000;
const NOT_SENT = { ok: false, reason: 'closed', isUnsent: true } as const;

export class PendingUpload implements UploadRequest {
  readonly incarnation: number;
  readonly accepted: Promise<CommandResult>;
  readonly done: Promise<UploadEnd>;
  readonly #deps: PendingUploadDeps;
  #accept: (result: CommandResult) => void = () => undefined;
  #end: (end: UploadEnd) => void = () => undefined;
  #serial: number | undefined;
  #isAnswered = false;
  #isOver = false;
  #isPaused = false;
  #cancelTimer = (): void => undefined;

  constructor(deps: PendingUploadDeps) {
    this.#deps = deps;
    this.incarnation = deps.incarnation;
    this.accepted = new Promise((resolve) => {
      this.#accept = resolve;
    });
    this.done = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Serial of the 0x9206; undefined until it has been sent. */
  get serial(): number | undefined {
    return this.#serial;
  }

  sent(serial: number): void {
    this.#serial = serial;
  }

  /** Takes the answer 0x0001, or its absence. A refusal counts even from a terminal that has begun. */
  answered(result: CommandResult): void {
    if (this.#isOver || (this.#isAnswered && (result.ok || result.reason !== 'refused'))) return;
    this.#answer(result);
    if (!result.ok) this.#over({ kind: 'not-accepted', failure: result });
  }

  /** Takes the report 0x1206. Some terminals answer with nothing else. */
  reported(isDone: boolean): void {
    this.#answer({ ok: true });
    this.#over({ kind: isDone ? 'done' : 'failed' });
  }

  noteBytes(): void {
    this.#answer({ ok: true });
    this.#watch();
  }

  async pause(): Promise<CommandResult> {
    const result = await this.#control(UploadCommand.Pause);
    this.#isPaused = result.ok;
    this.#watch();
    return result;
  }

  async resume(): Promise<CommandResult> {
    this.#isPaused = false;
    this.#watch();
    return this.#control(UploadCommand.Continue);
  }

  async cancel(): Promise<CommandResult> {
    if (this.#isOver) return NOT_SENT;
    this.drop();
    const serial = this.#serial;
    return serial === undefined ? NOT_SENT : this.#deps.control(serial, UploadCommand.Cancel);
  }

  /** Ends the upload without telling the terminal. */
  drop(): void {
    this.#answer(NOT_SENT);
    this.#over({ kind: 'canceled' });
  }

  #answer(result: CommandResult): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    this.#accept(result);
    this.#watch();
  }

  async #control(command: number): Promise<CommandResult> {
    return this.#isOver || this.#serial === undefined ? NOT_SENT : this.#deps.control(this.#serial, command);
  }

  #watch(): void {
    this.#cancelTimer();
    if (this.#isOver || this.#isPaused) return;
    this.#cancelTimer = this.#deps.runAfter(UPLOAD_IDLE_MS, () => this.#over({ kind: 'silent' }));
  }

  #over(end: UploadEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelTimer();
    this.#deps.onOver();
    this.#end(end);
  }
}
