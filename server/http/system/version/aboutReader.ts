import type { About, Build } from '../../../../shared/protocol/api/system/about.ts';
import type { WallMs } from '../../../../shared/protocol/time.ts';
import type { DatabaseFactsStore } from '../../../store/system/databaseFacts.ts';
import type { GatewayStore } from '../../../store/system/gateways.ts';
import type { ProductVersionStore } from '../../../store/system/productVersions.ts';
import { changesSince } from './changesSince.ts';
import { keyFingerprint } from './keyFingerprint.ts';

export interface AboutReader {
  read(): Promise<About>;
}

/** The running product, as it was started. */
export interface RunningProduct extends Pick<About, 'version' | 'node' | 'platform' | 'timeZone' | 'startedAtMs'> {
  readonly build: Build;
  /** Text of CHANGELOG.md; '' where it is missing. */
  readonly changelog: string;
  /** ID of the row in `gateway`. */
  readonly gatewayId: string;
}

export interface AboutReaderDeps {
  readonly stores: {
    readonly databaseFacts: DatabaseFactsStore;
    readonly gateways: Pick<GatewayStore, 'list'>;
    readonly productVersions: Pick<ProductVersionStore, 'before'>;
  };
  readonly product: RunningProduct;
  /** Public key (PEM) for the signatures of evidence packages. */
  readonly evidencePublicKey: string;
  readonly now: () => WallMs;
}

export function createAboutReader({ stores, product, evidencePublicKey, now }: AboutReaderDeps): AboutReader {
  const { changelog, gatewayId, ...running } = product;
  const { version } = running;
  const evidenceKey = { publicKey: evidencePublicKey, fingerprint: keyFingerprint(evidencePublicKey) };
  return {
    read: async () => {
      const [steps, database, gateways, previous] = await Promise.all([
        stores.databaseFacts.schemaSteps(),
        stores.databaseFacts.read(),
        stores.gateways.list(),
        stores.productVersions.before(version),
      ]);
      return {
        ...running,
        schema: { version: steps.at(-1)?.version ?? 0, steps },
        database,
        gateways: gateways.map((gateway) => ({ ...gateway, isThis: gateway.id === gatewayId })),
        changes: changesSince(changelog, { version, previous }),
        evidenceKey,
        // Read last, so that it is as fresh as possible: the page compares it with its own clock.
        nowMs: now(),
      };
    },
  };
}
