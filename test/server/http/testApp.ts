import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { createSenders } from '../../../server/app/notify/senders.ts';
import { createAccounts } from '../../../server/auth/accounts.ts';
import { createLinkAccess } from '../../../server/auth/linkAccess.ts';
import type { NotedUse } from '../../../server/auth/linkUses.ts';
import { createPasswords, type Passwords } from '../../../server/auth/passwords.ts';
import { createKey, createSecretBox } from '../../../server/auth/secretBox.ts';
import { createSecret, hashSecret } from '../../../server/auth/secrets.ts';
import { createSessions, type Sessions } from '../../../server/auth/sessions.ts';
import { SignInThrottle } from '../../../server/auth/signInThrottle.ts';
import { createChangeBus, followRecords } from '../../../server/bus/changeBus.ts';
import { readConfig } from '../../../server/config/readConfig.ts';
import { channelsOf } from '../../../server/device/channels.ts';
import { DeviceRegistry } from '../../../server/device/registry.ts';
import { EvidenceFiles } from '../../../server/events/evidence/evidenceFiles.ts';
import { loadOrMakeSigner } from '../../../server/events/evidence/signingKey.ts';
import { RulePreviews } from '../../../server/events/preview/rulePreviews.ts';
import { FencePreviews } from '../../../server/fences/preview/fencePreviews.ts';
import { FleetBoard } from '../../../server/fleet/fleetBoard.ts';
import type { FleetOwners } from '../../../server/fleet/fleetOwners.ts';
import { BoardSource } from '../../../server/fleet/updates/boardSource.ts';
import { OpenEvents } from '../../../server/fleet/updates/events/openEvents.ts';
import { type AppDeps, createApp } from '../../../server/http/app.ts';
import { createYielder } from '../../../server/http/devices/import/yielder.ts';
import { FEATURES, type RegisterFeature } from '../../../server/http/features.ts';
import type { FiguresDeps } from '../../../server/http/fleet/figures.ts';
import { createGauges, readCpuTimes } from '../../../server/http/fleet/gauges.ts';
import type { DeclaredRoute } from '../../../server/http/kernel/access.ts';
import { CONNECTION_TIMES, type ConnectionTimes } from '../../../server/http/kernel/connections.ts';
import { createServerInfoReader, type ServerInfoReader } from '../../../server/http/system/serverInfo.ts';
import type { KeyAndCertificate } from '../../../server/http/tls/selfSigned.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import { DryRuns } from '../../../server/notify/rules/dryRuns.ts';
import { NotifySettings } from '../../../server/notify/rules/notifySettings.ts';
import { createLog } from '../../../server/process/log.ts';
import type { StoreDb } from '../../../server/store/engine/database.ts';
import type { ActedEvent } from '../../../server/store/events/eventActs.ts';
import type { EventScope } from '../../../server/store/events/list/eventFilter.ts';
import type { NewLinkCredential } from '../../../server/store/links/linkCredentials.ts';
import type { Engine } from '../../../server/store/migrations/migration.ts';
import type { ChangedMessage } from '../../../server/store/notify/outbox/messageActs.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { createTrackReader } from '../../../server/tracks/trackReader.ts';
import type { HealthCheck } from '../../../shared/protocol/api/system/health.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { cheapHash } from '../../support/fakes/cheapHash.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';
import { findTestImage } from '../../support/firmware/testImages.ts';
import { importsInThisThread } from '../../support/importsInThisThread.ts';
import { createInProcessReports, type InProcessReports } from '../../support/reports/inProcessReports.ts';
import { atWorkerEnd } from '../../support/runner/workerEnd.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { openTestDatabase } from '../store/testDatabase.ts';
import { createTestVersion } from './testAbout.ts';
import { createTestBackups, type TestBackups } from './testBackups.ts';
import { createTestFirmware, type TestFirmware } from './testFirmware.ts';
import { startOrders } from './testOrders.ts';
import { createTestRecordings } from './testRecordings.ts';
import { createTestSync, type TestSync } from './testSync.ts';
import { type TestTerminals, testTerminals } from './testTerminals.ts';

export const METRICS_TOKEN = 'metrics-token-of-the-test';
export const PASSWORD = 'correct horse battery';
export const VERSION = '9.8.7';

export interface TestApp {
  readonly app: FastifyInstance;
  readonly routes: readonly DeclaredRoute[];
  /** The database, for what no store of the product writes by itself. */
  readonly db: StoreDb;
  readonly stores: Stores;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  /** What was logged, as text. */
  readonly logged: () => string;
  /** How long throttled attempts had to wait, one number for each time. */
  readonly waits: number[];
  /** Names of the limits that were reached. */
  readonly limits: readonly string[];
  readonly clock: { now: WallMs };
  /** The member groups for which devices count, to be reloaded where that matters. */
  readonly owners: Pick<FleetOwners, 'reload'>;
  /** Uses of links that were noted. */
  readonly uses: readonly NotedUse[];
  /** The device side: who is online, and what was done to terminals. */
  readonly terminals: TestTerminals;
  /** Kinds of records that calls have changed. */
  readonly changed: string[];
  /** Events that calls have changed. */
  readonly actedEvents: ActedEvent[];
  /** Notifications that calls have changed. */
  readonly actedMessages: ChangedMessage[];
  /** Member groups whose fences calls have changed. */
  readonly fenceChanges: number[];
  /** Member groups whose firmware tasks calls have changed. */
  readonly firmwareChanges: number[];
  /** Tasks that calls have reported to the engine. */
  readonly taskChanges: { readonly id: number; readonly isAccepted: boolean }[];
  readonly sync: TestSync;
  readonly backups: TestBackups;
  /** Decides who is notified of events: reloaded by the calls that change rules, and by tests that change something else. */
  readonly notifySettings: NotifySettings;
  /** Uploads, firmware images and what terminals download. */
  readonly firmware: TestFirmware;
  /** Reports are made in this thread. */
  readonly reports: InProcessReports;
  /** What `/readyz` finds, and the checks of the installation. */
  readonly health: { ready: boolean; checks: readonly HealthCheck[] };
  /** Injects a request as a browser of this site would send it. */
  request(options: InjectOptions): Promise<LightMyRequestResponse>;
  /** Downloads a list's CSV as a page does: asks for its address, with the query that is in `url`, and opens it. */
  download(url: string, cookie: string): Promise<LightMyRequestResponse>;
  /** Adds a user with the password PASSWORD who belongs to the groups. */
  addUser(username: string, permissions?: readonly string[], memberGroups?: readonly number[]): Promise<number>;
  /** Signs in and gives the cookie header. */
  signIn(username: string): Promise<string>;
  /** Adds a link's credential and gives its secret. */
  addLink(link: Omit<NewLinkCredential, 'secretHash'>): Promise<string>;
  close(): Promise<void>;
}

/** The files of a built site, as the build lays them out. */
const SITE: Readonly<Record<string, string>> = {
  'shell/index.html': '<title>shell</title>',
  'live/index.html': '<title>live</title>',
  'playback/index.html': '<title>playback</title>',
  'remote/index.html': '<title>remote</title>',
  'innerpage/login.html': '<title>login</title>',
  'innerpage/dashboard.html': '<title>dashboard</title>',
  'innerpage/assets/maplibre-gl-worker-ab_1-2.mjs': 'export const worker = 1;',
  'innerpage/assets/login-abc123.js': 'export const login = 1;',
  'assets/shell-abc123.js': `export const shell = ${'1 + '.repeat(1_000)} 1;`,
  'workers/stream.worker.js': 'self.onmessage = null;',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
};

/** Shared, since they remember nothing and the hash that they begin with takes longer than most tests. */
let sharedPasswords: Promise<Passwords> | undefined;

/** The site of this worker; nothing writes into it. */
let sharedSite: string | undefined;

function siteFolder(): string {
  if (sharedSite !== undefined) return sharedSite;
  const folder = mkdtempSync(join(tmpdir(), 'fleetglass-test-'));
  atWorkerEnd(() => rmSync(folder, { recursive: true, force: true }));
  writeSite(folder);
  sharedSite = folder;
  return folder;
}

export interface TestAppOptions {
  readonly engine?: Engine;
  readonly tls?: KeyAndCertificate;
  /** The product's times stand in for those that are not given. */
  readonly connectionTimes?: Partial<ConnectionTimes>;
  /** Features beside those of the product. */
  readonly features?: readonly RegisterFeature<AppDeps>[];
  /** Called for limits, in addition to `limits`. */
  readonly onLimit?: OnLimit;
  /** If left out, a file in which nothing is shipped. */
  readonly noticesFile?: string;
}

export async function createTestApp(
  env: Readonly<Record<string, string>> = {},
  { engine = 'sqlite', tls, connectionTimes, features = [], onLimit: tellLimit, noticesFile }: TestAppOptions = {},
): Promise<TestApp> {
  const folder = await createTempFolder();
  const database = await openTestDatabase(engine);
  const stores = createStores(database.db, undefined, database.reading);
  const clock = { now: wallMs(1_795_000_000_000) };
  const now = (): WallMs => clock.now;
  const waits: number[] = [];
  const uses: NotedUse[] = [];
  const terminals = testTerminals();
  const health: TestApp['health'] = { ready: true, checks: [] };
  const actedEvents: ActedEvent[] = [];
  const actedMessages: ChangedMessage[] = [];
  const fenceChanges: number[] = [];
  const firmwareChanges: number[] = [];
  const taskChanges: { id: number; isAccepted: boolean }[] = [];
  const recordings = createTestRecordings(stores, { folder: folder.path, now });
  const backups = createTestBackups(stores, folder.path);
  const lines: string[] = [];
  const read = readConfig({ METRICS_TOKEN, ...env });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  sharedPasswords ??= createPasswords();
  const passwords = await sharedPasswords;
  const limits: string[] = [];
  const onLimit: OnLimit = (limit) => {
    limits.push(limit.name);
    tellLimit?.(limit);
  };
  const sessions = createSessions({ ...stores, now, onLimit });
  const throttle = createTestThrottle({ now, waits, onLimit });
  const serverInfo = createServerInfoReader(stores.settings, read.config, VERSION);
  const changed: string[] = [];
  const bus = createChangeBus(noFaults);
  const sync = createTestSync(stores, { now, folder: join(folder.path, 'sync'), bus });
  bus.recordsChanged.subscribe('open pages', ({ kinds }) => void changed.push(...kinds));
  bus.eventsActed.subscribe('open events', (acted) => void actedEvents.push(...acted));
  bus.messagesChanged.subscribe('open pages', (message) => {
    if (message.kind === 'changed') actedMessages.push(...message.messages);
  });
  bus.listChanged.subscribe('open pages', ({ list, memberGroup = 0 }) => {
    if (list === 'fences') fenceChanges.push(memberGroup);
    if (list === 'firmware') firmwareChanges.push(memberGroup);
  });
  const notifySettings = testNotifySettings(stores, now);
  followRecords(bus, 'notification rules', ['notifyrule'], () => notifySettings.reload());
  const secretBox = createSecretBox(createKey());
  const reportsFolder = join(folder.path, 'reports');
  const reports = createInProcessReports({ db: database.db, stores, folder: reportsFolder, now, onLimit });
  const firmware = await createTestFirmware({ folder: folder.path, stores, now, onLimit });
  const signer = loadOrMakeSigner(join(folder.path, 'evidence.key'));
  const deps: AppDeps = {
    config: read.config,
    log: createLog('trace', { write: (line) => void lines.push(line) }),
    stores,
    sessions,
    accounts: createAccounts({
      stores,
      sessions,
      passwords,
      throttle,
      box: secretBox,
      now,
      onLimit,
    }),
    serverInfo,
    serverPresets: read.config,
    ...createTestVersion(read.config, { stores, signer, now, onLimit, checks: () => health.checks, lines }),
    checkReady: async () => {
      if (!health.ready) throw new Error('the database does not answer');
    },
    linkAccess: createLinkAccess({ ...stores, now }),
    linkUses: { note: (use) => void uses.push(use) },
    directory: {
      describe: async (deviceId) => {
        const device = await stores.devices.findByDeviceId(deviceId);
        if (device === undefined) return undefined;
        const { name, plate } = device;
        const channels = { ...channelsOf(device, undefined), livechs: '1'.repeat(device.chn) };
        return { ...channels, name, plate, online: true, seenAtMs: 0 };
      },
    },
    netflow: { overheadPercent: 4, isLimited: () => false },
    // Requests that are let through are tested with the device side behind them.
    remotePlayback: { play: async () => ({ ok: true }) },
    deviceRecordings: {
      list: async () => ({ ok: true, value: { recordings: [], reportedAtMs: clock.now, isFresh: true } }),
    },
    recordingPreset: { mode: 'off', quality: 'main', schedule: [], retentionDays: 0 },
    recordingStates: () => terminals.recordings,
    ...(await startOrders(stores, now)),
    terminals: {
      presence: (deviceId) =>
        terminals.online.get(deviceId) ?? { onlineSinceMs: undefined, lastMessageAtMs: undefined },
      edition: (deviceId) => terminals.editions.get(deviceId),
      cut: (deviceId) => void terminals.cut.push(deviceId),
      dropOrders: async (deviceId) => {
        const record = await stores.deviceRecords.find(deviceId);
        if (record !== undefined) terminals.dropped.push(record);
      },
      forget: (deviceId) => void terminals.forgotten.push(deviceId),
      test: async () => ({
        connected: false,
        sinceMs: wallMs(0),
        lastMessageAtMs: wallMs(0),
        address: '',
        edition: '',
        answer: null,
        mediaLoss: [],
      }),
    },
    trackReader: createTrackReader(stores.positions, createYielder),
    importReader: importsInThisThread,
    speedLimitOf: (deviceId) => (deviceId === 'LIMITED' ? 80 : undefined),
    placesOf: async (memberGroup) => (lat) => (lat > 50 ? `north of ${memberGroup}` : ''),
    ...recordings,
    evidenceFiles: new EvidenceFiles(join(folder.path, 'evidence')),
    evidenceSigner: signer,
    eventClipOf: () => ({ beforeS: 10, afterS: 20 }),
    figures: testFigures(stores, serverInfo, now),
    bus,
    secretBox,
    ...createSenders({ config: read.config, stores, bus, secretBox, log: createLog('silent'), onLimit }, now).forCalls,
    eventCountsOf: (scope) => countEvents(stores, scope),
    rulePreviews: new RulePreviews({ positions: stores.positions, now, nextTurn: async () => undefined, onLimit }),
    fencePreviews: new FencePreviews({
      positions: stores.positions,
      places: stores.fencePlaces,
      now,
      nextTurn: async () => undefined,
      onLimit,
    }),
    ...firmware.forCalls,
    notifySettings,
    dryRuns: new DryRuns({
      settings: notifySettings,
      events: stores.pastEvents,
      now,
      nextTurn: async () => undefined,
      onLimit,
    }),
    isSenderFailing: () => false,
    reports: reports.forCalls,
    taskImages: { find: (id, memberGroup) => findTestImage(database.db, id, memberGroup) },
    firmwareEngine: {
      taskChanged: async (id, { isAccepted = false } = {}) => void taskChanges.push({ id, isAccepted }),
    },
    firmwareApproval: read.config.firmwareApproval,
    isOnline: (deviceId) => terminals.online.has(deviceId),
    sync: sync.calls,
    backups: backups.calls,
    onLimit,
    webRoot: siteFolder(),
    noticesFile: noticesFile ?? join(import.meta.dirname, '../../fixtures/notices.json'),
    localesRoot: join(import.meta.dirname, '../../../public/locales'),
    tls,
    connectionTimes: { ...CONNECTION_TIMES, ...connectionTimes },
    now,
  };
  const { fastify: app, routes } = await createApp(deps, [...FEATURES, ...features]);
  await app.ready();
  const helpers = createHelpers({ app, stores, now });
  const close = async (): Promise<void> => {
    await app.close();
    await reports.close();
    await database.close();
    await folder.remove();
  };
  return {
    app,
    routes,
    db: database.db,
    stores,
    sessions,
    passwords,
    logged: () => lines.join(''),
    waits,
    limits,
    owners: recordings.owners,
    uses,
    clock,
    terminals,
    actedEvents,
    actedMessages,
    fenceChanges,
    firmwareChanges,
    taskChanges,
    sync,
    backups,
    notifySettings,
    firmware,
    reports,
    health,
    changed,
    ...helpers,
    close,
  };
}

function testNotifySettings(stores: Stores, now: () => WallMs): NotifySettings {
  return new NotifySettings({
    rules: stores.notifyRules,
    members: stores.notifyMembers,
    senders: stores.notifySenderNames,
    places: stores.notifyPlaces,
    now,
    runAfter: () => () => {},
    onFault: noFaults,
  });
}

/** Counts open events as if the gateway had just been started. */
async function countEvents(stores: Stores, { memberGroup, seesGateway }: EventScope) {
  const groups = new Map((await stores.fleet.devices()).map((device) => [device.archiveNumber, device.deviceGroup]));
  const open = new OpenEvents({
    store: stores.eventCounts,
    groupOfArchive: (archiveNumber) => groups.get(archiveNumber),
    onChange: () => {},
    runAfter: () => () => {},
    onFault: noFaults,
  });
  await open.count();
  return open.countsOf(new Set(await stores.fleet.deviceGroupsOf(memberGroup)), seesGateway);
}

interface TestThrottleDeps {
  readonly now: () => WallMs;
  readonly waits: number[];
  readonly onLimit: OnLimit;
}

/** Anyone who has to wait is let on at once, and the throttle believes that the time has passed. */
function createTestThrottle({ now, waits, onLimit }: TestThrottleDeps): SignInThrottle {
  let waitedMs = 0;
  const runAfter = (delayMs: number, run: () => void) => {
    waits.push(delayMs);
    waitedMs += delayMs;
    let isCancelled = false;
    queueMicrotask(() => {
      if (!isCancelled) run();
    });
    return () => {
      isCancelled = true;
    };
  };
  return new SignInThrottle({ now: () => now() + waitedMs, runAfter, onLimit });
}

/** A fleet of which every device is offline: devices that report are tested with the device side. */
function testFigures(stores: Stores, serverInfo: ServerInfoReader, now: () => number): FiguresDeps {
  const registry = new DeviceRegistry(now);
  return {
    stores,
    serverInfo,
    stateOf: async (memberGroup) => {
      const board = new FleetBoard({ registry, now });
      board.setDevices(await stores.fleet.devices());
      return new BoardSource(board).stateOf(memberGroup, stores.fleet.deviceGroupsOf);
    },
    disk: () => ({ state: 'ok', freeBytes: 10_000, totalBytes: 20_000, floorBytes: 1_000, maximumBytes: 0 }),
    gauges: createGauges({ now, cpuTimes: readCpuTimes, totals: () => ({ inBytes: 0, outBytes: 0 }) }),
    liveTraffic: () => ({ channels: 0, viewers: 0 }),
    now,
  };
}

interface HelperDeps {
  readonly app: FastifyInstance;
  readonly stores: Stores;
  readonly now: () => WallMs;
}

function createHelpers({ app, stores, now }: HelperDeps) {
  const request = (options: InjectOptions): Promise<LightMyRequestResponse> => {
    const changes = options.method !== undefined && options.method !== 'GET' && options.method !== 'HEAD';
    const fetched = { host: 'gateway.test', 'sec-fetch-site': 'same-origin' };
    const headers = { ...fetched, ...(changes ? { origin: 'http://gateway.test' } : {}), ...options.headers };
    return app.inject({ ...options, headers });
  };
  const download = async (url: string, cookie: string): Promise<LightMyRequestResponse> => {
    const answer = await request({ method: 'POST', url, headers: { cookie } });
    return answer.statusCode === 200 ? request({ url: answer.json().data.address }) : answer;
  };
  return {
    request,
    download,
    addUser: async (username: string, permissions: readonly string[] = [], memberGroups: readonly number[] = []) => {
      const passwordHash = await cheapHash(PASSWORD);
      const id = await stores.users.insert({ username, passwordHash, permissions }, now());
      await stores.memberGroups.setGroupsOfUser(id, memberGroups);
      return id;
    },
    signIn: async (username: string) => {
      const body = { username, password: PASSWORD };
      const response = await request({ method: 'POST', url: '/api/user/login', body });
      return cookieOf(response);
    },
    addLink: async (link: Omit<NewLinkCredential, 'secretHash'>) => {
      const secret = createSecret();
      await stores.linkCredentials.insert({ ...link, secretHash: hashSecret(secret) }, now());
      return secret;
    },
  };
}

/** The cookie that an answer sets, as the header of the next request. Throws when it sets none. */
export function cookieOf(response: LightMyRequestResponse): string {
  const [cookie] = response.cookies;
  if (cookie === undefined) throw new Error(`no cookie: ${response.statusCode} ${response.body}`);
  return `${cookie.name}=${cookie.value}`;
}

function writeSite(root: string): void {
  for (const [name, text] of Object.entries(SITE)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  writeFileSync(join(root, 'assets/shell-abc123.js.gz'), gzipSync(SITE['assets/shell-abc123.js'] ?? ''));
}
