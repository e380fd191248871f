// The demo's notifications: a mail server and a service that takes webhooks, both in this process, and a rule that uses them.
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { createSecret } from '../../server/auth/secrets.ts';
import type { OnFault } from '../../server/faults/onFault.ts';
import { listenOn } from '../../server/faults/sockets.ts';
import {
  NOTIFY_CHOICES_PATH,
  NOTIFY_RULES_PATH,
  type NotifyChoices,
  type NotifyRuleContent,
} from '../../shared/protocol/api/notify/notifyRules.ts';
import { OWN_NOTIFY_PATH, type OwnNotifyContent } from '../../shared/protocol/api/notify/ownNotify.ts';
import { SENDERS_PATH, type SenderContent } from '../../shared/protocol/api/notify/senders.ts';
import { TEMPLATES_PATH, type TemplateContent } from '../../shared/protocol/api/notify/templates.ts';
import { STANDARD_TEMPLATE } from '../../shared/protocol/notify/notifyWords.ts';
import type { DemoSession } from '../members/demoSession.ts';
import { createMailSink, type MailSink } from './mailSink.ts';
import { createWebhookSink } from './webhookSink.ts';

type Session = Pick<DemoSession, 'username' | 'get' | 'send'>;

export interface DemoNotificationsDeps {
  readonly administrator: Session;
  readonly operator: Session;
  readonly onFault: OnFault;
}

const HOST = '127.0.0.1';
const SECRET_LENGTH = 32;

/** Owns both servers until `stop`. */
export class DemoNotifications {
  readonly #deps: DemoNotificationsDeps;
  readonly #secret = createSecret(SECRET_LENGTH);
  readonly #mail: MailSink;
  readonly #webhooks: HttpServer;

  /** Before the vehicles: their first event is told. */
  static async open(deps: DemoNotificationsDeps): Promise<DemoNotifications> {
    const notifications = new DemoNotifications(deps);
    try {
      await notifications.#setUp();
    } catch (cause) {
      deps.onFault(new Error("the demo's notifications could not be set up", { cause }));
    }
    return notifications;
  }

  private constructor(deps: DemoNotificationsDeps) {
    this.#deps = deps;
    this.#mail = createMailSink(deps.onFault);
    this.#webhooks = createWebhookSink(this.#secret, deps.onFault);
  }

  /** The servers take messages since `open`. */
  start(): void {}

  async #setUp(): Promise<void> {
    await listenOn(this.#mail.server, HOST, 0);
    await listenOn(this.#webhooks, HOST, 0);
    const { administrator, operator } = this.#deps;
    for (const member of [administrator, operator]) {
      await member.send('PUT', OWN_NOTIFY_PATH, ownChoices(`${member.username}@fleet.example`));
    }
    const mail = await put(administrator, SENDERS_PATH, mailSender(portOf(this.#mail.server)));
    const webhook = await put(administrator, SENDERS_PATH, webhookSender(portOf(this.#webhooks), this.#secret));
    const template = await put(administrator, TEMPLATES_PATH, SHORT_MAIL);
    const choices = await administrator.get<NotifyChoices>(NOTIFY_CHOICES_PATH);
    const idOf = (session: Session): number[] =>
      (choices?.members ?? []).filter(({ username }) => username === session.username).map(({ id }) => id);
    if (mail === undefined || webhook === undefined) return;
    const deliveries = [
      { sender: mail, template: template ?? STANDARD_TEMPLATE },
      { sender: webhook, template: STANDARD_TEMPLATE },
    ];
    const step = { deliveries, roles: [], addresses: [] };
    const rule: NotifyRuleContent = {
      ...SERIOUS_EVENTS,
      steps: [
        { ...step, afterMinutes: 0, members: idOf(operator) },
        { ...step, deliveries: deliveries.slice(0, 1), afterMinutes: 5, members: idOf(administrator) },
      ],
    };
    await put(administrator, NOTIFY_RULES_PATH, rule);
  }

  stop(): void {
    this.#mail.endAll();
    this.#mail.server.close();
    this.#webhooks.closeAllConnections();
    this.#webhooks.close();
  }
}

interface Stored {
  readonly id: number;
  readonly name: string;
  readonly version: number;
}

/** Adds the record, or changes that of the same name, which an earlier run in the same folder has left. Gives its id. */
async function put(by: Session, path: string, content: { readonly name: string }): Promise<number | undefined> {
  const found = await by.get<{ readonly rows: readonly Stored[] }>(`${path}?limit=100`);
  const known = found?.rows.find(({ name }) => name === content.name);
  if (known === undefined) return (await by.send<Stored>('POST', path, content))?.id;
  await by.send('PUT', `${path}/${known.id}`, { ...content, version: known.version });
  return known.id;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function ownChoices(email: string): OwnNotifyContent {
  return { email, phone: '', channels: ['email', 'sms', 'push'], quietHours: [], messageLanguage: '' };
}

function mailSender(port: number): SenderContent {
  const from = { fromAddress: 'fleetglass@fleet.example', fromName: 'Fleetglass' };
  const settings = { host: HOST, port, security: 'none', username: '', ...from };
  return { name: 'Depot mail', kind: 'email', enabled: true, perMinute: 0, settings };
}

function webhookSender(port: number, secret: string): SenderContent {
  const settings = { url: `http://${HOST}:${port}/events`, headers: [] };
  return { name: 'Control room', kind: 'webhook', enabled: true, perMinute: 0, settings, secret };
}

const SERIOUS_EVENTS: Omit<NotifyRuleContent, 'steps'> = {
  name: 'Serious events',
  enabled: true,
  types: [],
  severities: ['critical', 'major'],
  deviceGroups: [],
  devices: [],
  coversGateway: true,
  schedule: [],
  timeZone: '',
  intervalMinutes: 1,
  repeatMinutes: 15,
  digestMinutes: 0,
  quietHours: [],
  criticalPasses: true,
  membersChoose: true,
  language: 'en',
};

const SHORT_MAIL: TemplateContent = {
  name: 'Short mail',
  kind: 'email',
  fallback: 'en',
  texts: {
    en: {
      subject: '{{event.severity}}: {{event.type}}, {{device.name}}',
      body: '{{event.type}} of {{device.name}} ({{device.plate}}) at {{event.begin}}.\n\n{{event.link}}',
    },
    'zh-TW': {
      subject: '{{event.severity}}：{{event.type}}，{{device.name}}',
      body: '{{device.name}}（{{device.plate}}）於 {{event.begin}} 發生{{event.type}}。\n\n{{event.link}}',
    },
    jp: {
      subject: '{{event.severity}}：{{event.type}}、{{device.name}}',
      body: '{{device.name}}（{{device.plate}}）で {{event.begin}} に{{event.type}}が発生しました。\n\n{{event.link}}',
    },
  },
};
