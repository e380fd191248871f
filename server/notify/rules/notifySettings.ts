// The settings that decide who is notified. They are in memory because every event that begins needs them.
import type { RecipientNote } from '../../../shared/protocol/api/notify/notifyRules.ts';
import { isPersonal, type SenderKind } from '../../../shared/protocol/notify/notifyWords.ts';
import { inBackground } from '../../faults/background.ts';
import { Rounds } from '../../faults/rounds.ts';
import type { NotifyMemberStore } from '../../store/notify/notifyMembers.ts';
import type { NotifyPlaceStore } from '../../store/notify/notifyPlaces.ts';
import type { NotifyRuleStore } from '../../store/notify/notifyRules.ts';
import type { NotifySenderNameStore } from '../../store/notify/notifySenderNames.ts';
import type { PlannedMessage } from '../../store/notify/plannedMessage.ts';
import type { Contact } from '../outgoing.ts';
import { buildFacts, NO_FACTS } from './buildFacts.ts';
import { zoneOf } from './matchRule.ts';
import type { NotifyFacts } from './notifyFacts.ts';
import { addressOf, isActiveMember, nameOf, noteOf } from './recipients.ts';
import { repeatDueAt } from './repeats.ts';

export interface NotifySettingsDeps {
  readonly rules: Pick<NotifyRuleStore, 'all'>;
  readonly members: NotifyMemberStore;
  readonly senders: NotifySenderNameStore;
  readonly places: NotifyPlaceStore;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
}

export interface ContactWanted {
  readonly kind: SenderKind;
  readonly memberGroup: number;
  /** Whether the event is about the gateway itself. */
  readonly ofGateway: boolean;
  /** The rule of the message; for a deleted rule, members' choices don't count. */
  readonly rule: number;
}

/** This gateway's own changes reload soon; the interval is for changes by another program, and for accounts that expire. */
const RELOAD_INTERVAL_MS = 60_000;
/** Combines several edits in a row, such as an import, into one reload. */
const RELOAD_DELAY_MS = 300;
const FAILURE = 'the settings of notifications could not be read';

export class NotifySettings {
  readonly #deps: NotifySettingsDeps;
  #facts = NO_FACTS;
  #rounds: Rounds | undefined;
  #cancelSoon: (() => void) | undefined;
  #asked = 0;
  #answered = 0;

  constructor(deps: NotifySettingsDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    await this.reload();
    this.#rounds = new Rounds({
      ...this.#deps,
      work: () => this.reload(),
      failure: FAILURE,
      intervalMs: RELOAD_INTERVAL_MS,
      delayMs: RELOAD_INTERVAL_MS,
    });
  }

  async reload(): Promise<void> {
    const { rules, members, senders, places } = this.#deps;
    const turn = ++this.#asked;
    const [allRules, allMembers, allSenders, allPlaces] = await Promise.all([
      rules.all(),
      members.all(),
      senders.all(),
      places.places(),
    ]);
    // The answer to the first of two simultaneous edits may come last.
    if (turn < this.#answered) return;
    this.#answered = turn;
    this.#facts = buildFacts({ rules: allRules, members: allMembers, senders: allSenders, places: allPlaces });
  }

  /** Called when members, roles, groups, devices or senders were edited; reloads in the background. */
  reloadSoon(): void {
    const { runAfter, onFault } = this.#deps;
    this.#cancelSoon ??= runAfter(RELOAD_DELAY_MS, () => {
      this.#cancelSoon = undefined;
      inBackground(FAILURE, this.reload(), onFault);
    });
  }

  async close(): Promise<void> {
    this.#cancelSoon?.();
    await this.#rounds?.close();
  }

  /** The facts at the last reload. */
  get facts(): NotifyFacts {
    return this.#facts;
  }

  /** How to reach the member now, for a message that is about to be sent; or why that isn't possible any more. */
  contactOf(userId: number, { kind, memberGroup, ofGateway, rule }: ContactWanted): Contact | RecipientNote {
    const member = this.#facts.members.get(userId);
    const nowMs = this.#deps.now();
    if (member === undefined || !isActiveMember(member, memberGroup, nowMs)) return 'not-in-group';
    if (!isPersonal(kind)) return 'no-address';
    const found = this.#facts.rules.find(rule)?.rule;
    const note = noteOf(member, { kind, ofGateway, membersChoose: found?.membersChoose ?? false });
    if (note !== 'none') return note;
    return {
      userId,
      name: nameOf(member),
      address: addressOf(member, kind),
      language: member.language ?? found?.language ?? 'en',
      timeZone: member.timeZone,
    };
  }

  /** The time zone of the rule's hours: its own, or that of the device. '' for the gateway's own. */
  zoneOf(rule: number, archiveNumber: number): string {
    const found = this.#facts.rules.find(rule);
    const device = this.#facts.devices.get(archiveNumber);
    return found === undefined ? (device?.timeZone ?? '') : zoneOf(found, device);
  }

  /** When a sent message is repeated, by its rule in the present form; undefined: never. */
  repeatAt(message: PlannedMessage, sentAtMs: number): number | undefined {
    return repeatDueAt(message, sentAtMs, this.#facts);
  }
}
