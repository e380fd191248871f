import { createSupport } from '../../../server/app/installation/support.ts';
import type { Config } from '../../../server/config/variables.ts';
import type { EvidenceSigner } from '../../../server/events/evidence/signingKey.ts';
import type { AppDeps } from '../../../server/http/app.ts';
import { createMetrics } from '../../../server/http/system/metrics.ts';
import { type AboutReader, createAboutReader } from '../../../server/http/system/version/aboutReader.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import { createLog } from '../../../server/process/log.ts';
import type { Stores } from '../../../server/store/stores.ts';
import type { HealthCheck } from '../../../shared/protocol/api/system/health.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';

export const TEST_PRODUCT = {
  version: '9.8.7',
  build: { commit: 'c0ffee', builtAtMs: wallMs(1_794_000_000_000) },
  node: 'v20.19.0',
  platform: 'Linux 6.1 x64',
  timeZone: 'Asia/Taipei',
  startedAtMs: wallMs(1_794_999_000_000),
  changelog: '# Changelog\n\n## 9.8.7\n\n- Ninth.\n\n## 9.8.6\n\n- Eighth.\n\n## 9.8.5\n\n- Seventh.\n',
  gatewayId: 'this-one',
};

interface TestVersionDeps {
  readonly stores: Stores;
  readonly signer: Pick<EvidenceSigner, 'publicKey'>;
  readonly now: () => WallMs;
  readonly onLimit: OnLimit;
  readonly checks: () => readonly HealthCheck[];
  /** Lines of the log. */
  readonly lines: readonly string[];
}

/** The parts of an app from which the page Version gets what it shows. */
export function createTestVersion(
  config: Config,
  { stores, signer, now, onLimit, checks, lines }: TestVersionDeps,
): Pick<AppDeps, 'about' | 'health' | 'metrics' | 'supportBundle'> {
  const about: AboutReader = createAboutReader({
    stores,
    product: TEST_PRODUCT,
    evidencePublicKey: signer.publicKey,
    now,
  });
  const health: AppDeps['health'] = {
    read: async () => ({ checkedAtMs: now(), state: 'ok', checks: [...checks()] }),
  };
  const metrics = createMetrics();
  const log = createLog('silent');
  const recentLog = { read: () => lines };
  const supportBundle = createSupport(config, { stores, about, health, metrics, log, recentLog, onLimit, now });
  return { about, health, metrics, supportBundle };
}
