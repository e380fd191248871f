// Settings of the demo's installation, so that the page Version has values beside its presets.
import {
  type ChangedServerSettings,
  SERVER_SETTINGS_PATH,
  type ServerSettings,
} from '../../shared/protocol/api/system/settings.ts';
import type { DemoSession } from '../members/demoSession.ts';

const LICENSED_DEVICES = 50;
const YEAR_MS = 365 * 86_400_000;
/** Version of settings that nobody has changed. */
const FIRST_VERSION = 1;

/** Adds the demo's settings; what somebody set in an earlier run stays. */
export async function setDemoSettings(administrator: Pick<DemoSession, 'get' | 'send'>, nowMs: number): Promise<void> {
  const current = await administrator.get<ServerSettings>(SERVER_SETTINGS_PATH);
  if (current?.version !== FIRST_VERSION) return;
  const { presets: _, ...values } = current;
  const licenseExpires = new Date(nowMs + YEAR_MS).toISOString().slice(0, 10);
  const changed: ChangedServerSettings = { ...values, maxLicense: LICENSED_DEVICES, licenseExpires };
  await administrator.send('PUT', SERVER_SETTINGS_PATH, changed);
}
