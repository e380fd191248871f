// The built gateway with vehicles and members, and servers of the test's own that take its messages.

import type { APIResponse, Page } from 'playwright-core';
import type { Stores } from '../../../../server/store/stores.ts';
import type { NotifyRuleContent, NotifyStep } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { NOTIFY_RULES_PATH } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { SENDERS_PATH, type SenderContent } from '../../../../shared/protocol/api/notify/senders.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { RawTerminal } from '../../../server/device/rawTerminal.ts';
import { sharedChromium } from '../../../support/browser/chromium.ts';
import { cheapHash } from '../../../support/fakes/cheapHash.ts';
import { type PageOptions, type People, peopleAt } from '../../../support/gateway/people.ts';
import { type Product, startProduct } from '../../../support/gateway/product.ts';
import { PASSWORD } from '../../../support/gateway/site.ts';
import { type HttpSink, type SinkAnswer, startHttpSink } from '../../../support/notify/httpSink.ts';
import { type SmtpSink, startSmtpSink } from '../../../support/notify/smtpSink.ts';
import { startSyslogSink } from '../../../support/notify/syslogSink.ts';

export const CONFIG = '/innerpage/eventnotifyconfig.html';
export const SENDER = '/innerpage/sender.html';
export const TEMPLATE = '/innerpage/template.html';

/** `limited` has `system` and nothing else. */
const MEMBERS = {
  chief: ALL_PERMISSIONS,
  mei: ['event'],
  kenji: ['event'],
  limited: ['system'],
} as const;
export type MemberName = keyof typeof MEMBERS;

/** Each test has a vehicle of its own, since a rule is about one device alone. */
const BUSES = [1, 2, 3, 4, 5, 6].map((at) => ({ deviceId: `BUS${at}`, number: `1390000200${at}` }));

export const WEBHOOK_SECRET = 'known to both sides';

interface Senders {
  readonly mail: number;
  readonly webhook: number;
  readonly syslog: number;
  readonly push: number;
}

export interface NotifyScene {
  readonly product: Product;
  readonly mail: SmtpSink;
  readonly webhooks: HttpSink;
  /** Answers to the next calls, one after the other: a status, or never any. Any other call is accepted. */
  answerNext(...answers: readonly (number | 'never')[]): void;
  readonly pushService: HttpSink;
  /** The unchanged text that came to the syslog server. */
  syslogText(): string;
  readonly senders: Senders;
  /** Ids by user name. */
  readonly members: Readonly<Record<MemberName, number>>;
  openPage(member: MemberName, address: string, options?: PageOptions): Promise<Page>;
  /** Calls the API as a page does, with the member's session. */
  call(member: MemberName, method: string, path: string, body?: object): Promise<unknown>;
  /** Adds a rule of the chief for critical events of one vehicle. */
  addRule(name: string, deviceId: string, steps: readonly NotifyStep[]): Promise<void>;
  /** Signs the vehicle's terminal in, until the test has finished. */
  dial(deviceId: string): Promise<RawTerminal>;
  close(): Promise<void>;
}

export async function startNotifyScene(): Promise<NotifyScene> {
  const planned: (number | 'never')[] = [];
  const answerAsPlanned: SinkAnswer = (response) => {
    const answer = planned.shift() ?? 200;
    if (answer !== 'never') response.writeHead(answer).end('answered by the test');
  };
  const [mail, webhooks, pushService, syslog] = await Promise.all([
    startSmtpSink(),
    startHttpSink(answerAsPlanned),
    startHttpSink((response) => void response.writeHead(201).end()),
    startSyslogSink(),
  ]);
  const members: Partial<Record<MemberName, number>> = {};
  const product = await startProduct(
    (stores) => fill(stores, members),
    (address) => ({ PUBLIC_URL: address, NOTIFY_NETWORKS: '127.0.0.1' }),
  );
  const people = peopleAt(await sharedChromium(['--enable-unsafe-swiftshader']), product.address);
  const call = (member: MemberName, method: string, path: string, body?: object): Promise<unknown> =>
    callAs(people, member, { address: product.address, method, path, body });
  const add = async (content: SenderContent): Promise<number> =>
    ((await call('chief', 'POST', SENDERS_PATH, content)) as { readonly id: number }).id;
  const senders: Senders = {
    mail: await add(mailSender(mail.port)),
    webhook: await add(webhookSender(webhooks.port)),
    syslog: await add(syslogSender(syslog.port)),
    push: await add(PUSH_SENDER),
  };
  return {
    product,
    mail,
    webhooks,
    pushService,
    answerNext: (...answers) => {
      planned.push(...answers);
    },
    syslogText: syslog.received,
    senders,
    members: members as Record<MemberName, number>,
    openPage: async (member, address, options) => {
      const page = await people.openPage(member, options);
      await page.goto(address);
      return page;
    },
    call,
    addRule: async (name, deviceId, steps) => {
      await call('chief', 'POST', NOTIFY_RULES_PATH, ruleOf(name, deviceId, steps));
    },
    dial: async (deviceId) => {
      const number = BUSES.find((bus) => bus.deviceId === deviceId)?.number ?? '';
      const terminal = await RawTerminal.dial({ port: product.jt808Port, number });
      await terminal.signIn();
      return terminal;
    },
    close: async () => {
      await people.close();
      await product.stop();
      await Promise.all([mail.close(), webhooks.close(), pushService.close(), syslog.close()]);
    },
  };
}

interface Call {
  readonly address: string;
  readonly method: string;
  readonly path: string;
  readonly body: object | undefined;
}

/** Fails with what the gateway says. */
async function callAs(people: People, member: MemberName, { address, method, path, body }: Call): Promise<unknown> {
  const { request } = await people.contextOf(member);
  const options = { method, headers: { origin: address }, ...(body === undefined ? {} : { data: body }) };
  const response: APIResponse = await request.fetch(`${address}${path}`, options);
  if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
  return ((await response.json()) as { readonly data: unknown }).data;
}

const COMMON = { enabled: true, perMinute: 0 } as const;

export const PUSH_SENDER: SenderContent = {
  ...COMMON,
  name: 'Browsers',
  kind: 'push',
  settings: { contact: 'mailto:ops@fleet.example' },
};

export function mailSender(port: number): SenderContent {
  const from = { fromAddress: 'fleet@fleet.example', fromName: 'Northern fleet' };
  const settings = { host: '127.0.0.1', port, security: 'none', username: '', ...from };
  return { ...COMMON, name: 'Depot mail', kind: 'email', settings };
}

export function webhookSender(port: number): SenderContent {
  const settings = { url: `http://127.0.0.1:${port}/events`, headers: [] };
  return { ...COMMON, name: 'Control room', kind: 'webhook', settings, secret: WEBHOOK_SECRET };
}

export function syslogSender(port: number): SenderContent {
  const settings = { host: '127.0.0.1', port, transport: 'tcp', facility: 16, appName: 'fleetglass' };
  return { ...COMMON, name: 'Log server', kind: 'syslog', settings };
}

export function ruleOf(name: string, deviceId: string, steps: readonly NotifyStep[]): NotifyRuleContent {
  return {
    name,
    enabled: true,
    types: [],
    severities: ['critical'],
    deviceGroups: [],
    devices: [deviceId],
    coversGateway: false,
    schedule: [],
    timeZone: '',
    steps,
    intervalMinutes: 0,
    repeatMinutes: 0,
    digestMinutes: 0,
    quietHours: [],
    criticalPasses: true,
    membersChoose: true,
    language: 'en',
  };
}

async function fill(stores: Stores, members: Partial<Record<MemberName, number>>): Promise<void> {
  const passwordHash = await cheapHash(PASSWORD);
  const deviceGroup = await stores.deviceGroups.insert('North');
  const memberGroup = await stores.memberGroups.insert({ name: 'Northern fleet' });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  for (const [username, permissions] of Object.entries(MEMBERS)) {
    const id = await stores.users.insert({ username, passwordHash, permissions }, wallMs(Date.now()));
    await stores.memberGroups.setGroupsOfUser(id, [memberGroup]);
    members[username as MemberName] = id;
  }
  for (const { deviceId, number } of BUSES) {
    const terminal = { canonical: number, raw: number.padStart(20, '0') };
    await stores.devices.insert({ deviceId, name: `Bus ${deviceId}`, chn: 1, deviceGroup, terminal });
  }
}
