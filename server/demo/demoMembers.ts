// The demo's members answer one event by the calls that the pages make too, so that there is one with a history.
import {
  EVENT_ACT_PATH,
  EVENTS_PATH,
  type EventActAnswer,
  type EventActRequest,
  type EventRow,
} from '../../shared/protocol/api/events.ts';
import type { BuiltInReasonCode } from '../../shared/protocol/events/builtInReasons.ts';
import type { BuiltInCode } from '../../shared/protocol/events/builtInTypes.ts';
import { inBackground } from '../faults/background.ts';
import type { OnFault } from '../faults/onFault.ts';
import type { After } from '../faults/timers.ts';
import type { DemoAccount, DemoAccounts } from './demoAccounts.ts';

export interface DemoMembersDeps {
  /** Of the gateway, such as http://localhost:8080. */
  readonly address: string;
  readonly accounts: Pick<DemoAccounts, 'administrator' | 'operator'>;
  readonly fetch: typeof fetch;
  readonly runAfter: After;
  readonly onFault: OnFault;
}

type Member = keyof DemoMembersDeps['accounts'];
type Act = Omit<EventActRequest, 'events'> & { readonly by: Member };

const ANSWERED_TYPE: BuiltInCode = 'phone-use';
const REASON: BuiltInReasonCode = 'real';
const LOOK_EVERY_MS = 3_000;
/** Long after the script has raised it. */
const MAX_LOOKS = 60;
const BETWEEN_ACTS_MS = 4_000;

/** Owns its timer until `stop`. */
export class DemoMembers {
  readonly #deps: DemoMembersDeps;
  /** Cookies of those who have signed in. */
  readonly #sessions = new Map<Member, string>();
  #isStopped = false;
  #wake: (() => void) | undefined;

  constructor(deps: DemoMembersDeps) {
    this.#deps = deps;
  }

  start(): void {
    inBackground("the demo's members could not answer an event", this.#answerOne(), this.#deps.onFault);
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake?.();
  }

  async #answerOne(): Promise<void> {
    let event = await this.#findEvent();
    for (const act of this.#acts()) {
      if (event === undefined || !(await this.#sleep(BETWEEN_ACTS_MS))) return;
      event = await this.#act(act, event);
    }
  }

  #acts(): readonly Act[] {
    const assignee = this.#deps.accounts.operator.username;
    return [
      { by: 'administrator', act: 'acknowledge' },
      { by: 'administrator', act: 'assign', assignee },
      { by: 'operator', act: 'note', note: 'Called the driver: the hands-free set is broken.' },
      {
        by: 'operator',
        act: 'close',
        reason: REASON,
        note: 'Set replaced at the depot, driver reminded of the rules.',
      },
    ];
  }

  /** The first that nobody has answered; undefined when none comes, or the demo ends. */
  async #findEvent(): Promise<EventRow | undefined> {
    const path = `${EVENTS_PATH}?types=${ANSWERED_TYPE}&statuses=new`;
    for (let look = 0; look < MAX_LOOKS; look++) {
      if (!(await this.#sleep(LOOK_EVERY_MS))) return undefined;
      const found = await this.#call<{ readonly rows: readonly EventRow[] }>('administrator', path);
      const [event] = found?.rows ?? [];
      if (event !== undefined) return event;
    }
    return undefined;
  }

  /** The event as it is then; undefined when somebody was first. */
  async #act({ by, ...act }: Act, { id, version }: EventRow): Promise<EventRow | undefined> {
    const request: EventActRequest = { ...act, events: [{ id, version }] };
    const answer = await this.#call<EventActAnswer>(by, EVENT_ACT_PATH, request);
    return answer?.events[0];
  }

  /** Undefined when it fails. The answers are those of this very version, so they are what they should be. */
  async #call<Answer>(member: Member, path: string, body?: object): Promise<Answer | undefined> {
    const cookie = this.#sessions.get(member) ?? (await this.#signIn(member));
    const response = cookie === undefined ? undefined : await this.#fetch(path, { cookie }, body);
    if (response?.ok !== true) return undefined;
    const { data } = (await response.json()) as { readonly data: Answer };
    return data;
  }

  async #signIn(member: Member): Promise<string | undefined> {
    const { username, password }: DemoAccount = this.#deps.accounts[member];
    const response = await this.#fetch('/api/user/login', {}, { username, password });
    if (response?.ok !== true) return undefined;
    const cookie = response.headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
    this.#sessions.set(member, cookie.join('; '));
    return this.#sessions.get(member);
  }

  /** Undefined when the gateway cannot be reached, such as over TLS with a certificate of its own. */
  async #fetch(path: string, headers: Record<string, string>, body?: object): Promise<Response | undefined> {
    const init =
      body === undefined
        ? { headers }
        : { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
    try {
      return await this.#deps.fetch(new URL(path, this.#deps.address), init);
    } catch {
      return undefined;
    }
  }

  /** False when the demo has ended. */
  async #sleep(delayMs: number): Promise<boolean> {
    if (this.#isStopped) return false;
    await new Promise<void>((resolve) => {
      const cancel = this.#deps.runAfter(delayMs, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    return !this.#isStopped;
  }
}
