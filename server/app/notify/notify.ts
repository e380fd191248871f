// Notifications of a running gateway. Rules and senders start before the events, the first of which may need a notification; messages
// are sent once the events have started, since a failing sender raises one.
import type { Registry } from 'prom-client';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { SecretBox } from '../../auth/secretBox.ts';
import type { ChangeBus } from '../../bus/changeBus.ts';
import type { Config } from '../../config/variables.ts';
import type { EventEngine } from '../../events/engine/eventEngine.ts';
import type { EvidenceFiles } from '../../events/evidence/evidenceFiles.ts';
import { readEvidence } from '../../events/evidence/readEvidence.ts';
import type { OnLimit } from '../../limits/limit.ts';
import { MessageComposer } from '../../notify/templates/messageComposer.ts';
import { Wordings } from '../../notify/templates/wordings.ts';
import type { Closing } from '../../process/closing.ts';
import type { Log } from '../../process/log.ts';
import type { Stores } from '../../store/stores.ts';
import { type Delivery, startDelivery } from './delivery.ts';
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

interface NotifyDeps {
  readonly stores: Stores;
  readonly secretBox: SecretBox;
  readonly metrics: Registry;
  readonly log: Log;
  readonly closing: Closing;
  readonly onLimit: OnLimit;
  readonly now: () => WallMs;
  /** The folder of the translation files. */
  readonly localesRoot: string;
  readonly siteTitle: () => Promise<string>;
  readonly bus: ChangeBus;
}

const NONE_FAILS: ReadonlySet<number> = new Set();

export async function prepareNotify(config: Config, deps: NotifyDeps): Promise<Notify> {
  const { bus } = deps;
  let delivery: Delivery | undefined;
  const senders = createSenders(config, deps);
  const rules = await startNotifyRules({
    ...deps,
    isFailing: (sender) => (delivery?.failingSenders ?? NONE_FAILS).has(sender),
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
      const composer = createComposer(config, { events, settings: rules.settings }, deps);
      const parts = { rules, senders, composer, events };
      const plannedCount = (): number => rules.planner.plannedCount;
      delivery = await startDelivery(deliveryParts(parts), { ...deps, plannedCount });
    },
  };
}

interface Parts {
  readonly rules: NotifyRules;
  readonly senders: Senders;
  readonly composer: MessageComposer;
  readonly events: NotifyingEvents;
}

function deliveryParts({ rules: { settings }, senders, composer, events }: Parts) {
  return {
    contactOf: settings.contactOf.bind(settings),
    repeatAt: settings.repeatAt.bind(settings),
    compose: composer.compose.bind(composer),
    openSender: senders.directory.open.bind(senders.directory),
    transports: senders.transports,
    onFailing: (isFailing: boolean) =>
      events.engine.raise({ type: 'sender-failing', form: isFailing ? 'begin' : 'end' }),
  };
}

interface ComposerParts {
  readonly events: NotifyingEvents;
  readonly settings: NotifyRules['settings'];
}

function createComposer(
  { publicUrl = '' }: Config,
  { events, settings }: ComposerParts,
  deps: NotifyDeps,
): MessageComposer {
  const { stores, localesRoot, now, siteTitle, onLimit } = deps;
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
