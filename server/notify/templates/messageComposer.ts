// Composes a message that is due: its event's facts, in the recipient's language, with the rule's template.
import type { EventRow } from '../../../shared/protocol/api/events.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { StoredEventMedia } from '../../store/events/eventMediaRows.ts';
import type { EventListStore } from '../../store/events/list/eventList.ts';
import type { StoredMessage } from '../../store/notify/plannedMessage.ts';
import type { Destination, OutgoingMessage } from '../outgoing.ts';
import { type ChosenText, chooseText, type TextsOfTemplate } from './chooseText.ts';
import { DIGEST_LINES_LIMIT } from './digestLines.ts';
import { eventLink } from './eventLink.ts';
import { valuesOf } from './eventValues.ts';
import { mailHtml } from './mailHtml.ts';
import { type RenderedText, renderText } from './render.ts';
import { decideSnapshot, MAX_PICTURE_BYTES, pictureName } from './snapshot.ts';
import type { Wordings } from './wordings.ts';

export interface MessageComposerDeps {
  readonly stores: {
    readonly eventList: Pick<EventListStore, 'seenOf'>;
    readonly eventMedia: { ofEvent(eventId: number): Promise<StoredEventMedia[]> };
    readonly notifyTemplates: { find(id: number): Promise<TextsOfTemplate | undefined> };
    readonly digestEvents: { idsOf(messageId: number): Promise<number[]> };
  };
  readonly wordings: Pick<Wordings, 'of'>;
  /** Undefined for a file that is missing, or has become larger than `maxBytes`. */
  readonly readPicture: (fileId: string, maxBytes: number) => Promise<Buffer | undefined>;
  readonly siteTitle: () => Promise<string>;
  /** The time zone of a rule's hours, for readers without one of their own. IANA name; '' for the gateway's own. */
  readonly ruleZone: (rule: number, archiveNumber: number) => string;
  /** PUBLIC_URL, '' where it is not set. */
  readonly publicUrl: string;
  readonly now: () => number;
  readonly onLimit: OnLimit;
}

/** `wait`: there is nothing to send before that time. `cancel`: there never will be, and why. */
export type Composed = OutgoingMessage | { readonly wait: number } | { readonly cancel: string };

const GONE = 'event-gone';
const ANSWERED = 'answered';
const TOO_LARGE = 'The message is too large. Shorten its template.';

type Picture = OutgoingMessage['picture'];

export class MessageComposer {
  readonly #deps: MessageComposerDeps;

  constructor(deps: MessageComposerDeps) {
    this.#deps = deps;
  }

  /** Rejects for the gateway's own faults, such as a database that does not answer. */
  async compose(message: StoredMessage, destination: Destination): Promise<Composed> {
    const seen = await this.#seenOf(message);
    if (seen.length === 0) return { cancel: GONE };
    const rows = this.#toldOf(message, seen);
    const [event] = rows;
    if (event === undefined) return { cancel: ANSWERED };
    const picture = message.kind === 'email' ? await this.#pictureOf(message) : undefined;
    if (picture !== undefined && 'wait' in picture) return picture;
    const chosen = await this.#choose(message, destination);
    const text = isWorded(message) ? message : await this.#word(message, destination, { rows, chosen });
    if (text === undefined) return { cancel: TOO_LARGE };
    return this.#outgoing(message, destination, { event, text, language: chosen.language, picture: picture?.picture });
  }

  /** Events that the member group can see now: a device may have moved to another group since. */
  async #seenOf(message: StoredMessage): Promise<readonly EventRow[]> {
    const { eventList, digestEvents } = this.#deps.stores;
    // Whether a member may be notified of the gateway's own events is checked for the member.
    const scope = { memberGroup: message.memberGroup, seesGateway: true };
    if (message.digestKey === '') return eventList.seenOf([message.eventId], scope);
    const joined = await digestEvents.idsOf(message.id);
    return eventList.seenOf([...new Set([message.eventId, ...joined])], scope);
  }

  /** The events of a digest that wait for an answer. A digest that was composed before is sent again unchanged. */
  #toldOf(message: StoredMessage, rows: readonly EventRow[]): readonly EventRow[] {
    // Somebody who sends a message again by hand wants it sent, whatever was answered meanwhile.
    if (message.digestKey === '' || isWorded(message) || message.isByHand) return rows;
    const open = rows.filter(({ status }) => status === 'new');
    if (open.length > DIGEST_LINES_LIMIT.max) this.#deps.onLimit(DIGEST_LINES_LIMIT);
    return open;
  }

  async #choose({ template, kind, language, digestKey }: StoredMessage, to: Destination): Promise<ChosenText> {
    const own = template === 0 ? undefined : await this.#deps.stores.notifyTemplates.find(template);
    const wanted = to.to === 'member' ? to.language : language;
    return chooseText(own, { kind, language: wanted, isDigest: digestKey !== '' });
  }

  async #word(message: StoredMessage, destination: Destination, { rows, chosen }: Worded) {
    const { wordings, siteTitle, ruleZone, publicUrl, now, onLimit } = this.#deps;
    const [event] = rows;
    if (event === undefined) return undefined;
    const facts = {
      ruleName: message.ruleName,
      step: message.step,
      recipientName: destination.to === 'member' ? destination.name : message.recipient,
      key: message.key,
      sentAtMs: now(),
      siteTitle: await siteTitle(),
      link: eventLink(publicUrl, event.id),
      timeZone: destination.to === 'member' ? destination.timeZone : ruleZone(message.rule, message.archiveNumber),
    };
    const values = valuesOf(event, rows, facts, await wordings.of(chosen.language));
    return renderText(chosen, values, { kind: message.kind, onLimit });
  }

  /** A digest has no picture: it is about several events. */
  async #pictureOf(message: StoredMessage): Promise<{ readonly picture: Picture } | { readonly wait: number }> {
    const { stores, now, readPicture } = this.#deps;
    const { archiveNumber, createdAtMs, digestKey, eventId } = message;
    if (digestKey !== '' || archiveNumber === 0) return { picture: undefined };
    const media = await stores.eventMedia.ofEvent(eventId);
    const answer = decideSnapshot({ media, createdAtMs, nowMs: now() });
    if (answer.do === 'wait') return { wait: answer.untilMs };
    const file = answer.picture?.file;
    const data = file === undefined ? undefined : await readPicture(file.fileId, MAX_PICTURE_BYTES);
    if (file === undefined || data === undefined) return { picture: undefined };
    return { picture: { fileName: pictureName(file.contentType), contentType: file.contentType, data } };
  }

  #outgoing(message: StoredMessage, destination: Destination, parts: Parts): OutgoingMessage {
    const { event, text, language, picture } = parts;
    const link = eventLink(this.#deps.publicUrl, event.id);
    const { severity } = event;
    const html = (): string =>
      mailHtml({ body: text.body, severity, language, link, pictureName: picture?.fileName ?? '' });
    return {
      key: message.key,
      destination,
      subject: text.subject,
      body: text.body,
      ...(message.kind === 'email' ? { html: html(), picture } : {}),
      link,
      severity,
      eventAtMs: event.beginAtMs,
      facts: { eventId: event.id, deviceId: event.deviceid, type: event.type },
    };
  }
}

interface Worded {
  /** At least one. */
  readonly rows: readonly EventRow[];
  readonly chosen: ChosenText;
}

interface Parts {
  readonly event: EventRow;
  readonly text: RenderedText;
  readonly language: ChosenText['language'];
  readonly picture: Picture;
}

/** Whether an earlier attempt has composed the text: every attempt has the same. */
function isWorded({ subject, body }: StoredMessage): boolean {
  return subject !== '' || body !== '';
}
