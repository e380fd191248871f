// What this gateway is, for the page Version, and its signs of life for the other gateways of its database.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { arch, hostname, release, type } from 'node:os';
import { join } from 'node:path';
import type { Build } from '../../../shared/protocol/api/system/about.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { liveGateways } from '../../backup/restore/liveGateways.ts';
import type { EvidenceSigner } from '../../events/evidence/signingKey.ts';
import { createRunAfter } from '../../faults/timers.ts';
import { type AboutReader, createAboutReader, type RunningProduct } from '../../http/system/version/aboutReader.ts';
import { readBuildStamp } from '../../process/buildStamp.ts';
import type { Closing } from '../../process/closing.ts';
import type { Log } from '../../process/log.ts';
import { readVersion } from '../../process/projectRoot.ts';
import type { Stores } from '../../store/stores.ts';
import { startSignsOfLife } from './signsOfLife.ts';

export interface VersionDeps {
  readonly stores: Pick<Stores, 'databaseFacts' | 'gateways' | 'productVersions'>;
  /** The folder with package.json and CHANGELOG.md. */
  readonly projectRoot: string;
  /** Left out: as noted when the product was built. */
  readonly build?: Build;
  readonly signer: Pick<EvidenceSigner, 'publicKey'>;
  readonly now: () => WallMs;
  readonly log: Log;
  readonly closing: Closing;
}

export interface VersionForCalls {
  readonly about: AboutReader;
  /** Hosts of other gateways that work on the same database. */
  readonly otherGateways: () => Promise<readonly string[]>;
}

export async function startVersion({
  stores,
  signer,
  now,
  log,
  closing,
  ...deps
}: VersionDeps): Promise<VersionForCalls> {
  const product = runningProduct(deps, now());
  const { version, startedAtMs, gatewayId } = product;
  await stores.productVersions.note(version, startedAtMs);
  const onFault = (error: Error): void => log.error({ err: error }, 'signs of life');
  const signs = await startSignsOfLife({
    store: stores.gateways,
    gateway: { id: gatewayId, host: hostname(), version, startedAtMs },
    now,
    runAfter: createRunAfter(onFault),
    onFault,
  });
  closing.add('signs of life', () => signs.close());
  return {
    about: createAboutReader({ stores, product, evidencePublicKey: signer.publicKey, now }),
    otherGateways: () => liveGateways(stores.gateways, { nowMs: now(), except: gatewayId }),
  };
}

function runningProduct(
  { projectRoot, build = buildOf(projectRoot) }: Pick<VersionDeps, 'projectRoot' | 'build'>,
  startedAtMs: WallMs,
): RunningProduct {
  return {
    version: readVersion(projectRoot),
    build,
    node: process.version,
    platform: `${type()} ${release()} ${arch()}`,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    startedAtMs,
    changelog: readChangelog(join(projectRoot, 'CHANGELOG.md')),
    gatewayId: randomUUID(),
  };
}

function buildOf(projectRoot: string): Build {
  const { commit, dateMs } = readBuildStamp(projectRoot);
  return { commit, builtAtMs: wallMs(dateMs) };
}

/** Missing where somebody has copied the built folders alone. */
function readChangelog(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
