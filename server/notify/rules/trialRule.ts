// Counts the messages that a rule would have sent for past events, taken by their begins. Pure except for its memory of earlier events.
import type { PastEvent } from '../../store/notify/pastEvents.ts';
import { doesMatch } from './matchRule.ts';
import type { NotifyFacts, ToldEvent } from './notifyFacts.ts';
import { REPEATED_FOR_MS } from './planMessages.ts';
import { endOfQuiet } from './quietHours.ts';
import { type Recipient, recipientsOf } from './recipients.ts';
import type { PreparedRule } from './ruleIndex.ts';
import { passesQuiet, quietHoursOf } from './tellings.ts';
import { toldKey } from './toldTimes.ts';

const MINUTE_MS = 60_000;

/** Recipients of one step who are notified at the same time: all but members with quiet hours of their own. */
interface Audience {
  readonly key: string;
  readonly afterMs: number;
  readonly isRepeated: boolean;
  readonly member: Recipient['member'];
  readonly count: number;
}

export interface TrialDeps {
  readonly prepared: PreparedRule;
  readonly facts: NotifyFacts;
  readonly nowMs: number;
  /** Called with the number of messages that were due at a time. */
  readonly onMessages: (dueAtMs: number, count: number) => void;
}

export class TrialRule {
  readonly #deps: TrialDeps;
  readonly #ofDevices: readonly Audience[];
  readonly #ofGateway: readonly Audience[];
  readonly #told = new Map<string, number>();
  /** When the last digest of each audience is due. */
  readonly #digests = new Map<string, number>();
  #matched = 0;
  #looked = 0;

  constructor(deps: TrialDeps) {
    this.#deps = deps;
    this.#ofDevices = audiencesOf(deps, false);
    this.#ofGateway = audiencesOf(deps, true);
  }

  /** Number of events that the rule reports. */
  get matched(): number {
    return this.#matched;
  }

  /** Number of moments that were evaluated, so that the caller can limit the work. */
  get work(): number {
    return this.#looked;
  }

  take(past: PastEvent): void {
    this.#looked++;
    const { prepared, facts } = this.#deps;
    const device = past.archiveNumber === 0 ? undefined : { archiveNumber: past.archiveNumber };
    const event: ToldEvent = { ...past, device };
    const audiences = device === undefined ? this.#ofGateway : this.#ofDevices;
    const key = toldKey({ rule: 0, archiveNumber: past.archiveNumber, type: past.type });
    const moment = { nowMs: past.beginAtMs, lastToldAtMs: () => this.#told.get(key) };
    if (audiences.length === 0 || !doesMatch(prepared, event, facts, moment)) return;
    this.#told.set(key, past.beginAtMs);
    this.#matched++;
    for (const audience of audiences) this.#tell(audience, event, past.answeredAtMs);
  }

  #tell(audience: Audience, event: ToldEvent, answeredAtMs: number): void {
    const { prepared, facts, onMessages, nowMs } = this.#deps;
    const { rule } = prepared;
    const hours = quietHoursOf(prepared, event, facts, audience);
    const stepDueAtMs = event.beginAtMs + audience.afterMs;
    const dueAtMs = endOfQuiet(hours, stepDueAtMs + rule.digestMinutes * MINUTE_MS);
    this.#looked++;
    if (dueAtMs >= answeredAtMs || this.#joins(audience, event, { stepDueAtMs, dueAtMs })) return;
    onMessages(dueAtMs, audience.count);
    if (!audience.isRepeated) return;
    const untilMs = Math.min(dueAtMs + REPEATED_FOR_MS, nowMs);
    let atMs = endOfQuiet(hours, dueAtMs + rule.repeatMinutes * MINUTE_MS);
    while (atMs < answeredAtMs && atMs <= untilMs) {
      onMessages(atMs, audience.count);
      this.#looked++;
      atMs = endOfQuiet(hours, atMs + rule.repeatMinutes * MINUTE_MS);
    }
  }

  #joins(
    { key }: Audience,
    event: ToldEvent,
    { stepDueAtMs, dueAtMs }: { readonly stepDueAtMs: number; readonly dueAtMs: number },
  ): boolean {
    const { rule } = this.#deps.prepared;
    if (rule.digestMinutes === 0) return false;
    const digest = `${key}/${passesQuiet(rule, event)}`;
    const waitingAtMs = this.#digests.get(digest);
    if (waitingAtMs !== undefined && waitingAtMs >= stepDueAtMs && waitingAtMs <= dueAtMs) return true;
    this.#digests.set(digest, dueAtMs);
    return false;
  }
}

function audiencesOf({ prepared, facts, nowMs }: TrialDeps, ofGateway: boolean): Audience[] {
  const { steps, repeatMinutes, membersChoose } = prepared.rule;
  return steps.flatMap((step, at) => {
    const wanted = { prepared, step, ofGateway, nowMs, isLeftOut: () => false };
    const told = recipientsOf(facts, wanted).filter(({ note }) => note === 'none');
    const afterMs = step.afterMinutes * MINUTE_MS;
    const isRepeated = at === steps.length - 1 && repeatMinutes > 0;
    const audience = (key: string, member: Recipient['member'], count: number): Audience => {
      return { key: `${at}/${key}`, afterMs, isRepeated, member, count };
    };
    const own = told.filter(({ member }) => membersChoose && (member?.quietHours.length ?? 0) > 0);
    const others = told.length - own.length;
    return [
      ...(others === 0 ? [] : [audience('', undefined, others)]),
      ...own.map(({ member, sender }) => audience(`${sender.id}/${member?.id}`, member, 1)),
    ];
  });
}
