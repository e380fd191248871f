// What is asked of a signed-in terminal, in turn where its answers would otherwise be mixed up.
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { CommandResult, QueryResult } from '../terminalSession.ts';
import type { MessageKind } from './codec/codes.ts';
import { type BodyOf, type MessageBody, messageIdOf } from './codec/message.ts';
import type { ResendRequest } from './codec/messages/general.ts';
import type { Outbox } from './outbox.ts';
import type { LongMessage, PackagesResult } from './packages/longMessage.ts';
import { LongMessages } from './packages/longMessages.ts';
import type { PackagePace } from './packages/packagePace.ts';
import { PendingCommands } from './pendingCommands.ts';
import { PendingQuery } from './pendingQuery.ts';
import { createSerialQueue } from './serialQueue.ts';

/**
 * Commands and queries to one terminal that wait for their turn or their answer. Viewers and pages make them. One more fails at once, as if
 * unanswered.
 */
export const ORDERS_LIMIT: Limit = { name: 'terminals.orders.connection', max: 256 };
const COMMAND_TIMEOUT_MS = 10_000;
const QUERY_TIMEOUT_MS = 10_000;

export interface TerminalOrdersDeps {
  readonly outbox: Outbox;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly pace?: PackagePace | undefined;
  readonly onLimit: OnLimit;
  readonly onFault: OnFault;
  /** Told of what long messages put on the wire, headers included. */
  readonly onLongBytes?: (sentBytes: number) => void;
}

export class TerminalOrders {
  readonly #deps: TerminalOrdersDeps;
  readonly #commands: PendingCommands;
  readonly #query: PendingQuery;
  readonly #long: LongMessages;
  /** Terminals mix up the answers of two media commands. */
  readonly #mediaTurn = createSerialQueue();
  readonly #queryTurn = createSerialQueue();
  #open = 0;

  constructor(deps: TerminalOrdersDeps) {
    this.#deps = deps;
    this.#commands = new PendingCommands(deps.runAfter);
    this.#query = new PendingQuery(deps.runAfter);
    this.#long = new LongMessages(deps);
  }

  /** A media command, after the one before it has its answer. */
  media(body: MessageBody): Promise<CommandResult> {
    return this.#bounded(() => this.#mediaTurn(() => this.#command(body)));
  }

  /** Its answer may be a list, as a question's: both turns are waited for, always in this order. `dialled` settles it as well. */
  playback(request: MessageBody, dialled: Promise<unknown>): Promise<QueryResult<BodyOf<'resources'> | undefined>> {
    return this.#bounded(() => this.#mediaTurn(() => this.#queryTurn(() => this.#order(request, dialled))));
  }

  /** Waits for no other command. */
  command(body: MessageBody, onSent?: (serial: number) => void): Promise<CommandResult> {
    return this.#bounded(() => this.#command(body, onSent));
  }

  query<Kind extends MessageKind>(question: MessageBody, answer: Kind): Promise<QueryResult<BodyOf<Kind>>> {
    return this.#bounded(() => this.#queryTurn(() => this.#ask(question, answer)));
  }

  sendPackages(message: LongMessage): Promise<PackagesResult> {
    return this.#long.send({ ...message, onSentBytes: this.#deps.onLongBytes });
  }

  /** A message of another kind; whether it is the answer to the open question. */
  answer(body: MessageBody): boolean {
    return this.#query.answer(body);
  }

  /** There are no more of these than we have sent packages, so that they need no bound of their own. */
  isOfPackage(body: MessageBody): boolean {
    return body.kind === 'terminalGeneralReply' && this.#long.expects(body);
  }

  /** 0x0005; false when the packages are no longer here. */
  resend(request: ResendRequest): boolean {
    return this.#long.resend(request) || this.#deps.outbox.resend(request);
  }

  /** 0x0001. */
  generalReply(reply: BodyOf<'terminalGeneralReply'>): void {
    const { replySerial, replyId, result } = reply;
    this.#long.generalReply(reply);
    this.#commands.answer(replySerial, replyId, result);
    this.#query.generalReply(replySerial, replyId, result);
  }

  packageCame(messageId: number): void {
    this.#query.packageCame(messageId);
  }

  close(): void {
    this.#long.close();
    this.#commands.close();
    this.#query.close();
  }

  /** A terminal that has not answered so many is not going to answer one more. */
  async #bounded<Result>(
    run: () => Promise<Result>,
  ): Promise<Result | { readonly ok: false; readonly reason: 'timeout'; readonly isUnsent: true }> {
    if (this.#open >= ORDERS_LIMIT.max) {
      this.#deps.onLimit(ORDERS_LIMIT);
      return { ok: false, reason: 'timeout', isUnsent: true };
    }
    this.#open++;
    try {
      return await run();
    } finally {
      this.#open--;
    }
  }

  async #command(body: MessageBody, onSent?: (serial: number) => void): Promise<CommandResult> {
    const serials = this.#deps.outbox.send(body);
    if (serials === undefined) return { ok: false, reason: 'closed', isUnsent: true };
    onSent?.(serials.last);
    return this.#commands.await(serials, messageIdOf(body), COMMAND_TIMEOUT_MS);
  }

  async #ask<Kind extends MessageKind>(body: MessageBody, answerKind: Kind): Promise<QueryResult<BodyOf<Kind>>> {
    const serials = this.#deps.outbox.send(body);
    if (serials === undefined) return { ok: false, reason: 'closed' };
    const messageId = messageIdOf(body);
    return this.#query.await({ serials, messageId, answerKind, timeoutMs: QUERY_TIMEOUT_MS });
  }

  async #order(body: MessageBody, happened: Promise<unknown>): Promise<QueryResult<BodyOf<'resources'> | undefined>> {
    const serials = this.#deps.outbox.send(body);
    if (serials === undefined) return { ok: false, reason: 'closed' };
    const messageId = messageIdOf(body);
    const noted = happened.then(() => this.#query.happened(serials));
    inBackground('an order could not be followed', noted, this.#deps.onFault);
    return this.#query.await({
      serials,
      messageId,
      answerKind: 'resources',
      timeoutMs: QUERY_TIMEOUT_MS,
      isOrder: true,
    });
  }
}
