// The support bundle of a gateway: where each of its parts is read from.
import type { Registry } from 'prom-client';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { Config } from '../../config/variables.ts';
import { serverSettings } from '../../http/system/serverSettings.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { Log } from '../../process/log.ts';
import { partOf } from '../../store/backup/tableParts.ts';
import type { Stores } from '../../store/stores.ts';
import { createSupportBundle, type SupportBundle } from '../../support/bundle.ts';
import type { BundleSources } from '../../support/bundleParts.ts';

export interface SupportDeps extends Pick<BundleSources, 'about' | 'health'> {
  readonly stores: Stores;
  readonly metrics: Registry;
  readonly log: Log;
  /** Left out: the process keeps no lines. */
  readonly recentLog: BundleSources['recentLog'] | undefined;
  readonly onLimit: OnLimit;
  readonly now: () => WallMs;
}

/** The dependencies of the Version page's calls on the gateway. */
export function forVersionPage(config: Config, deps: SupportDeps) {
  const { about, health } = deps;
  return { about, health, supportBundle: createSupport(config, deps) };
}

export function createSupport(config: Config, { log, recentLog, ...deps }: SupportDeps): SupportBundle {
  const { settings } = deps.stores;
  return createSupportBundle({
    ...deps,
    config,
    settings: async () => {
      const { stored, version } = await settings.getVersioned();
      return serverSettings(stored, version, config);
    },
    // Backups know every table that a migration has made.
    isOwnTable: (table) => partOf(table) !== undefined,
    recentLog: recentLog ?? { read: () => [] },
    onFault: (error) => log.error({ err: error }, 'support bundle'),
  });
}
