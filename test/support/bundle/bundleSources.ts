import { readConfig } from '../../../server/config/readConfig.ts';
import type { CountedTerminalKind } from '../../../server/store/devices/terminalKinds.ts';
import type { SupportBundleDeps } from '../../../server/support/bundle.ts';
import type { About } from '../../../shared/protocol/api/system/about.ts';
import type { ServerSettings } from '../../../shared/protocol/api/system/settings.ts';
import { wallMs } from '../../../shared/protocol/time.ts';

export const AN_ABOUT: About = {
  version: '9.8.7',
  build: { commit: 'c0ffee', builtAtMs: wallMs(1) },
  schema: { version: 1, steps: [{ version: 1, name: 'devices', appliedAtMs: wallMs(2) }] },
  node: 'v20.19.0',
  platform: 'Linux 6.1 x64',
  database: { engine: 'sqlite', version: '3.50.4', bytes: 4_096 },
  startedAtMs: wallMs(3),
  nowMs: wallMs(4),
  timeZone: 'Asia/Taipei',
  gateways: [
    { id: 'a', host: 'north.example', version: '9.8.7', startedAtMs: wallMs(3), seenAtMs: wallMs(4), isThis: true },
  ],
  changes: { previousVersion: '9.8.6', markdown: '## 9.8.7\n\n- Ninth.', isCut: false },
  evidenceKey: { publicKey: '-----BEGIN PUBLIC KEY-----', fingerprint: 'abcd 0123' },
};

export const SETTINGS: ServerSettings = {
  version: 3,
  webTitle: 'Northern Fleet',
  liveLayout: '3x3',
  playbackLayout: null,
  maxLicense: 25,
  licenseExpires: null,
  presets: { webTitle: 'Fleet of Mei', liveLayout: '', playbackLayout: '', maxLicense: 0, licenseExpires: '' },
};

export function aTerminalKind(change: Partial<CountedTerminalKind> = {}): CountedTerminalKind {
  return {
    manufacturer: 'FLGLS',
    model: 'Simulator-2 (EU)',
    hardwareVersion: 'S1',
    firmwareVersion: '1.0',
    edition: '2019',
    channels: 4,
    devices: 2,
    ...change,
  };
}

/** A support bundle's of a small installation. */
export function bundleSources(change: Partial<SupportBundleDeps> = {}): SupportBundleDeps {
  const read = readConfig({});
  if (!read.ok) throw new Error(read.problems.join('\n'));
  return {
    config: read.config,
    about: { read: async () => AN_ABOUT },
    settings: async () => SETTINGS,
    health: { read: async () => ({ checkedAtMs: wallMs(5), state: 'ok', checks: [] }) },
    stores: {
      databaseFacts: { schemaSteps: async () => AN_ABOUT.schema.steps.map((step) => ({ ...step })) },
      tableSizes: { read: async () => [{ table: 'device', rows: 2, bytes: 4_096 }] },
      terminalKinds: { count: async () => [aTerminalKind()] },
    },
    isOwnTable: (table) => table === 'device',
    metrics: { getMetricsAsJSON: async () => [{ name: 'fleetglass_a_total', values: [{ value: 1, labels: {} }] }] },
    recentLog: { read: () => ['{"level":30,"msg":"request","ms":3}', 'cut {"'] },
    onLimit: () => undefined,
    now: () => wallMs(1_795_000_000_000),
    onFault: (error) => {
      throw error;
    },
    ...change,
  };
}
