// What the driver of a simulated vehicle sees, hears and answers.
import { GeneralResult, hasBit } from '../../server/device/jt808/codec/codes.ts';
import { type BodyOf, type MessageBody, messageIdOf } from '../../server/device/jt808/codec/message.ts';
import type { After } from '../../server/faults/timers.ts';

export interface DriverText {
  readonly text: string;
  /** The sender asked for it, and the vehicle has a voice. */
  readonly isReadAloud: boolean;
}

export interface DriverDisplayDeps {
  readonly readsAloud: boolean;
  readonly runAfter: After;
  readonly reply: (body: MessageBody) => void;
  /** Sends it again until it is acknowledged. */
  readonly report: (body: MessageBody) => void;
}

export type DisplayOrder = BodyOf<'text'> | BodyOf<'question'> | BodyOf<'eventSet'>;

/** Bit of a text's flags. */
const SPEECH = 3;
const MAX_TEXTS = 20;
/** A driver looks at the road first. */
const ANSWER_AFTER_MS = 5_000;

/** Owns the answer that the driver has not given yet, until `disconnected`. */
export class DriverDisplay {
  readonly #deps: DriverDisplayDeps;
  #texts: DriverText[] = [];
  #menu: BodyOf<'eventSet'>['events'] = [];
  #cancelAnswer: (() => void) | undefined;

  constructor(deps: DriverDisplayDeps) {
    this.#deps = deps;
  }

  /** The latest, oldest first. */
  get texts(): readonly DriverText[] {
    return this.#texts;
  }

  /** The events that the driver can report. */
  get menu(): BodyOf<'eventSet'>['events'] {
    return this.#menu;
  }

  obey(serial: number, order: DisplayOrder): void {
    const replyId = messageIdOf(order);
    this.#deps.reply({ kind: 'terminalGeneralReply', replySerial: serial, replyId, result: GeneralResult.Ok });
    if (order.kind === 'question') this.#answer(serial, order);
    else if (order.kind === 'eventSet') this.#menu = changedMenu(this.#menu, order);
    else this.#show(order);
  }

  disconnected(): void {
    this.#cancelAnswer?.();
  }

  #show({ text, flags }: BodyOf<'text'>): void {
    const isReadAloud = this.#deps.readsAloud && hasBit(flags, SPEECH);
    this.#texts = [...this.#texts, { text, isReadAloud }].slice(-MAX_TEXTS);
  }

  /** With the first of the answers; a newer question takes the place of one that is still open. */
  #answer(replySerial: number, { answers }: BodyOf<'question'>): void {
    this.#cancelAnswer?.();
    const [first] = answers;
    if (first === undefined) return;
    const answer = (): void => this.#deps.report({ kind: 'questionAnswer', replySerial, answerId: first.id });
    this.#cancelAnswer = this.#deps.runAfter(ANSWER_AFTER_MS, answer);
  }
}

type Menu = BodyOf<'eventSet'>['events'];
/** 0x8301. */
const MenuChange = { DeleteAll: 0, Replace: 1, Append: 2, Modify: 3, DeleteSome: 4 } as const;

function changedMenu(menu: Menu, { type, events }: BodyOf<'eventSet'>): Menu {
  const others = menu.filter(({ id }) => events.every((event) => event.id !== id));
  switch (type) {
    case MenuChange.Append:
    case MenuChange.Modify:
      return [...others, ...events];
    case MenuChange.DeleteSome:
      return others;
    case MenuChange.Replace:
      return events;
    default:
      return [];
  }
}
