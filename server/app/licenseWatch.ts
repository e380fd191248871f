// Events of the license: some days before it ends, once each, and one that lasts while it has ended. Nothing else comes of either.
import { licenseNotice } from '../../shared/protocol/license.ts';
import type { EventEngine } from '../events/engine/eventEngine.ts';
import { Rounds, type RoundsOptions } from '../faults/rounds.ts';
import type { SettingStore } from '../store/system/settings.ts';

export interface LicenseDeps extends Pick<RoundsOptions, 'runAfter' | 'onFault'> {
  readonly engine: Pick<EventEngine, 'raise'>;
  /** 0: never. */
  readonly expiresMs: () => Promise<number>;
  readonly settings: Pick<SettingStore, 'get' | 'set'>;
  readonly now: () => number;
}

const LOOK_MS = 60 * 60_000;
/** The last report: another run of the gateway doesn't repeat it. */
const TOLD = 'license_told';

export function watchLicense({ engine, expiresMs, settings, now, ...timing }: LicenseDeps): Rounds {
  return new Rounds({
    ...timing,
    work: async () => {
      const atMs = await expiresMs();
      const notice = licenseNotice(atMs, now());
      engine.raise({ type: 'license-expired', form: notice.kind === 'expired' ? 'begin' : 'end' });
      if (notice.kind !== 'expiring') return;
      const told = `${atMs} ${notice.within}`;
      if ((await settings.get(TOLD)) === told) return;
      await settings.set(TOLD, told);
      engine.raise({ type: 'license-expiring', form: 'momentary' });
    },
    failure: 'it could not be found out when the license expires',
    intervalMs: LOOK_MS,
    delayMs: 0,
  });
}
