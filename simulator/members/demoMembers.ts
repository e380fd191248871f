// The demo's members answer one event, so that there is one with a history.
import { inBackground } from '../../server/faults/background.ts';
import type { OnFault } from '../../server/faults/onFault.ts';
import type { After } from '../../server/faults/timers.ts';
import {
  EVENT_ACT_PATH,
  EVENTS_PATH,
  type EventActAnswer,
  type EventActRequest,
  type EventRow,
} from '../../shared/protocol/api/events.ts';
import type { BuiltInReasonCode } from '../../shared/protocol/events/builtInReasons.ts';
import type { BuiltInCode } from '../../shared/protocol/events/builtInTypes.ts';
import type { DemoSession } from './demoSession.ts';

type Session = Pick<DemoSession, 'username' | 'get' | 'send'>;

export interface DemoMembersDeps {
  readonly administrator: Session;
  readonly operator: Session;
  readonly runAfter: After;
  readonly onFault: OnFault;
}

interface Act {
  readonly by: Session;
  readonly request: Omit<EventActRequest, 'events'>;
}

const ANSWERED_TYPE: BuiltInCode = 'phone-use';
const REASON: BuiltInReasonCode = 'real';
const LOOK_EVERY_MS = 3_000;
/** Long after the script has raised it. */
const MAX_LOOKS = 60;
const BETWEEN_ACTS_MS = 4_000;

/** Owns its timer until `stop`. */
export class DemoMembers {
  readonly #deps: DemoMembersDeps;
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
    for (const act of actsOf(this.#deps)) {
      if (event === undefined || !(await this.#sleep(BETWEEN_ACTS_MS))) return;
      event = await answer(act, event);
    }
  }

  /** The first that nobody has answered; undefined when none comes, or the demo ends. */
  async #findEvent(): Promise<EventRow | undefined> {
    const path = `${EVENTS_PATH}?types=${ANSWERED_TYPE}&statuses=new`;
    for (let look = 0; look < MAX_LOOKS; look++) {
      if (!(await this.#sleep(LOOK_EVERY_MS))) return undefined;
      const found = await this.#deps.administrator.get<{ readonly rows: readonly EventRow[] }>(path);
      const [event] = found?.rows ?? [];
      if (event !== undefined) return event;
    }
    return undefined;
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

function actsOf({ administrator, operator }: DemoMembersDeps): readonly Act[] {
  const note = 'Called the driver: the hands-free set is broken.';
  const closing = 'The set was replaced at the depot, and the driver reminded of the rules.';
  return [
    { by: administrator, request: { act: 'acknowledge' } },
    { by: administrator, request: { act: 'assign', assignee: operator.username } },
    { by: operator, request: { act: 'note', note } },
    { by: operator, request: { act: 'close', reason: REASON, note: closing } },
  ];
}

/** The event as it is then; undefined when somebody was first. */
async function answer({ by, request }: Act, { id, version }: EventRow): Promise<EventRow | undefined> {
  const body: EventActRequest = { ...request, events: [{ id, version }] };
  const answered = await by.send<EventActAnswer>('POST', EVENT_ACT_PATH, body);
  return answered?.events[0];
}
