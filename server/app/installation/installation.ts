// The installation itself: what runs, how well, and how to get it back.
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { Config } from '../../config/variables.ts';
import type { HealthSource } from '../../health/healthSource.ts';
import type { AppDeps } from '../../http/app.ts';
import type { Events } from '../events.ts';
import { type BackupDeps, startBackups } from './backup.ts';
import { forVersionPage, type SupportDeps } from './support.ts';
import { startVersion, type VersionDeps } from './version.ts';

export interface InstallationDeps
  extends Omit<VersionDeps, 'signer' | 'stores'>,
    Omit<BackupDeps, 'otherGateways'>,
    Omit<SupportDeps, 'about' | 'health' | 'recentLog'> {
  readonly events: Pick<Events, 'evidence'>;
  readonly recentLog?: SupportDeps['recentLog'];
  readonly now: () => WallMs;
}

export interface Installation {
  readonly health: HealthSource;
  forCalls(health: AppDeps['health']): Pick<AppDeps, 'about' | 'health' | 'supportBundle' | 'backups'>;
}

export async function startInstallation(config: Config, deps: InstallationDeps): Promise<Installation> {
  const { recentLog } = deps;
  const { about, otherGateways } = await startVersion({ ...deps, signer: deps.events.evidence.signer });
  const backups = await startBackups(config, { ...deps, otherGateways });
  return {
    health: backups.health,
    forCalls: (health) => ({
      ...forVersionPage(config, { ...deps, about, health, recentLog }),
      backups: backups.forCalls,
    }),
  };
}
