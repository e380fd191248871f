import type { QueryResult } from '../terminalSession.ts';
import { GeneralResult, MessageId, type MessageKind } from './codec/codes.ts';
import type { BodyOf, MessageBody } from './codec/message.ts';
import type { SentSerials } from './outbox.ts';
import { isWithin } from './pendingCommands.ts';

export interface Question<Kind extends MessageKind> {
  readonly serials: SentSerials;
  readonly messageId: number;
  readonly answerKind: Kind;
  readonly timeoutMs: number;
  /** A mere success (0x0001) is an answer too, and comes out as undefined. */
  readonly isOrder?: true;
}

interface Pending {
  readonly question: Question<MessageKind>;
  readonly settle: (result: QueryResult<MessageBody | undefined>) => void;
  cancel: () => void;
}

/**
 * The one question to a terminal that waits for an answer of its own kind. One at a time, since some answers do not say
 * what they answer. It is always settled: answered, refused, timed out or closed.
 */
export class PendingQuery {
  readonly #runAfter: (delayMs: number, run: () => void) => () => void;
  #pending: Pending | undefined;

  constructor(runAfter: (delayMs: number, run: () => void) => () => void) {
    this.#runAfter = runAfter;
  }

  /** Throws when a question is open: who asks keeps the order. */
  await<Kind extends MessageKind>(
    question: Question<Kind> & { readonly isOrder?: never },
  ): Promise<QueryResult<BodyOf<Kind>>>;
  await<Kind extends MessageKind>(question: Question<Kind>): Promise<QueryResult<BodyOf<Kind> | undefined>>;
  await<Kind extends MessageKind>(question: Question<Kind>): Promise<QueryResult<BodyOf<Kind> | undefined>> {
    if (this.#pending !== undefined) throw new Error('a question to this terminal is open already');
    return new Promise((resolve) => {
      this.#pending = {
        question,
        // `answer` lets no other kind through.
        settle: (result) => resolve(result as QueryResult<BodyOf<Kind> | undefined>),
        cancel: () => undefined,
      };
      this.#extend(this.#pending);
    });
  }

  /** Whether the message is the answer that was waited for. */
  answer(body: MessageBody): boolean {
    const pending = this.#pending;
    if (pending === undefined || body.kind !== pending.question.answerKind) return false;
    if ('replySerial' in body && !isWithin(body.replySerial, pending.question.serials)) return false;
    this.#settle(pending, { ok: true, answer: body });
    return true;
  }

  /** 0x0001: success only says that the answer is on its way, everything else is the end. */
  generalReply(serial: number, messageId: number, result: number): void {
    const pending = this.#pending;
    if (pending === undefined || pending.question.messageId !== messageId) return;
    if (!isWithin(serial, pending.question.serials)) return;
    if (result === GeneralResult.Ok && pending.question.isOrder !== true) this.#extend(pending);
    else if (result === GeneralResult.Ok) this.#settle(pending, { ok: true, answer: undefined });
    else this.#settle(pending, { ok: false, reason: 'refused', result });
  }

  /** What was ordered has happened, whatever the terminal may still say of it. */
  happened(serials: SentSerials): void {
    const pending = this.#pending;
    if (pending?.question.serials === serials) this.#settle(pending, { ok: true, answer: undefined });
  }

  /** A package of a message has come; a long answer takes as long as it takes. */
  packageCame(messageId: number): void {
    const pending = this.#pending;
    if (pending !== undefined && MessageId[pending.question.answerKind] === messageId) this.#extend(pending);
  }

  close(): void {
    if (this.#pending !== undefined) this.#settle(this.#pending, { ok: false, reason: 'closed' });
  }

  #extend(pending: Pending): void {
    pending.cancel();
    pending.cancel = this.#runAfter(pending.question.timeoutMs, () =>
      this.#settle(pending, { ok: false, reason: 'timeout' }),
    );
  }

  #settle(pending: Pending, result: QueryResult<MessageBody | undefined>): void {
    pending.cancel();
    this.#pending = undefined;
    pending.settle(result);
  }
}
