// Notifications of a running gateway. Rules and senders start before the events, the first of which may need a notification; messages
// are sent once the events have started, since a failing sender raises one.
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { EventEngine } from '../../events/engine/eventEngine.ts';
import type { EvidenceFiles } from '../../events/evidence/evidenceFiles.ts';
import { readEvidence } from '../../events/evidence/readEvidence.ts';
import { SenderHealth } from '../../notify/delivery/senderHealth.ts';
import { MessageComposer } from '../../notify/templates/messageComposer.ts';
import { Wordings } from '../../notify/templates/wordings.ts';
import type { Context } from '../context.ts';
import { type DeliveryParts, startDelivery } from './delivery.ts';
import { type NotifyRules, startNotifyRules } from './rules.ts';
import { createSenders, type Senders } from './senders.ts';

export interface Notify {
  readonly planner: NotifyRules['planner'];
  /** What mails of other parts are sent with. */
  readonly senders: Pick<Senders, 'directory' | 'transports'>;
  readonly forCalls: NotifyRules['forCalls'] & Senders['forCalls'];
  /** Starts sending messages. */
  deliver(events: NotifyingEvents): Promise<void>;
}

interface NotifyingEvents {
  readonly engine: Pick<EventEngine, 'raise'>;
  readonly evidence: { readonly files: Pick<EvidenceFiles, 'open'> };
}

interface NotifyParts {
  readonly now: () => WallMs;
  /** The folder of the translation files. */
  readonly localesRoot: string;
  readonly siteTitle: () => Promise<string>;
}

export async function prepareNotify(context: Context, site: NotifyParts): Promise<Notify> {
  const { bus } = context;
  const health = new SenderHealth();
  const senders = createSenders(context, site.now);
  const rules = await startNotifyRules(context, {
    isFailing: (sender) => health.failing.has(sender),
    onMessages: (messages) =>
      bus.messagesChanged.tell({
        kind: 'added',
        keys: messages.map(({ key }) => key),
        senders: messages.map(({ sender }) => sender),
      }),
  });
  return {
    planner: rules.planner,
    senders,
    forCalls: { ...rules.forCalls, ...senders.forCalls },
    deliver: async (events) => {
      const composer = createComposer(context, site, { events, settings: rules.settings });
      await startDelivery(context, deliveryParts({ rules, senders, health, composer, events }));
    },
  };
}

interface Parts {
  readonly rules: NotifyRules;
  readonly senders: Senders;
  readonly health: SenderHealth;
  readonly composer: MessageComposer;
  readonly events: NotifyingEvents;
}

function deliveryParts({ rules: { settings, planner }, senders, health, composer, events }: Parts): DeliveryParts {
  return {
    contactOf: settings.contactOf.bind(settings),
    repeatAt: settings.repeatAt.bind(settings),
    compose: composer.compose.bind(composer),
    openSender: senders.directory.open.bind(senders.directory),
    transports: senders.transports,
    health,
    plannedCount: () => planner.plannedCount,
    onFailing: (isFailing: boolean) =>
      events.engine.raise({ type: 'sender-failing', form: isFailing ? 'begin' : 'end' }),
  };
}

interface ComposerParts {
  readonly events: NotifyingEvents;
  readonly settings: NotifyRules['settings'];
}

function createComposer(
  { config: { publicUrl = '' }, stores, onLimit }: Context,
  { localesRoot, now, siteTitle }: NotifyParts,
  { events, settings }: ComposerParts,
): MessageComposer {
  return new MessageComposer({
    stores,
    wordings: new Wordings({ eventTypes: stores.eventTypes, localesRoot, now }),
    readPicture: (fileId, maxBytes) => readEvidence(events.evidence.files, fileId, maxBytes),
    siteTitle,
    ruleZone: settings.zoneOf.bind(settings),
    publicUrl,
    now,
    onLimit,
  });
}
