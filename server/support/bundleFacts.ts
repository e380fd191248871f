// What the installation says of itself, as a support bundle has it. Pure.
import type { About } from '../../shared/protocol/api/system/about.ts';
import type { Health, HealthCheck } from '../../shared/protocol/api/system/health.ts';
import type { ServerPresets, ServerSettings } from '../../shared/protocol/api/system/settings.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** Whether the product has made the table: others in its schema have names from elsewhere. */
export type IsOwnTable = (table: string) => boolean;

/** Roles, as ports, folders, queues and threads are told apart. */
const ROLE = /^[a-z0-9-]{0,30}$/;

/** Without the change log, which comes with the product, and the public key, which its fingerprint stands for. */
export function scrubbedAbout(about: About, pseudonyms: Pseudonyms) {
  const { version, build, node, platform, database, schema, startedAtMs, nowMs, timeZone, changes, evidenceKey } =
    about;
  return {
    ...{ version, previousVersion: changes.previousVersion, build, node, platform, database },
    schemaVersion: schema.version,
    ...{ startedAtMs, nowMs, timeZone },
    evidenceKey: evidenceKey.fingerprint,
    gateways: about.gateways.map((gateway) => ({
      host: pseudonyms.of('host', gateway.host),
      version: gateway.version,
      startedAtMs: gateway.startedAtMs,
      seenAtMs: gateway.seenAtMs,
      isThis: gateway.isThis,
    })),
  };
}

export function scrubbedSettings(settings: ServerSettings, pseudonyms: Pseudonyms) {
  const { version, webTitle, liveLayout, playbackLayout, maxLicense, licenseExpires, presets } = settings;
  return {
    version,
    webTitle: webTitle === null ? null : pseudonyms.of('title', webTitle),
    ...{ liveLayout, playbackLayout, maxLicense, licenseExpires },
    presets: scrubbedPresets(presets, pseudonyms),
  };
}

function scrubbedPresets(presets: ServerPresets, pseudonyms: Pseudonyms): ServerPresets {
  const { webTitle, liveLayout, playbackLayout, maxLicense, licenseExpires } = presets;
  return { webTitle: pseudonyms.of('title', webTitle), liveLayout, playbackLayout, maxLicense, licenseExpires };
}

export function scrubbedHealth(health: Health, isOwnTable: IsOwnTable, pseudonyms: Pseudonyms) {
  const { checkedAtMs, state, checks } = health;
  const scrubbed = ({ kind, subject, state: found, values, advice }: HealthCheck) => {
    const shown = kind === 'tables' ? tableName(subject, isOwnTable, pseudonyms) : roleName(subject, pseudonyms);
    return { kind, subject: shown, state: found, values, advice };
  };
  return { checkedAtMs, state, checks: checks.map((check) => scrubbed(check)) };
}

export function tableName(table: string, isOwnTable: IsOwnTable, pseudonyms: Pseudonyms): string {
  return table === '' || isOwnTable(table) ? table : pseudonyms.of('table', table);
}

function roleName(subject: string, pseudonyms: Pseudonyms): string {
  return ROLE.test(subject) ? subject : pseudonyms.of('text', subject);
}
