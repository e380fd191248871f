import type { EvidenceSigner } from '../../../server/events/evidence/signingKey.ts';
import { type AboutReader, createAboutReader } from '../../../server/http/system/version/aboutReader.ts';
import type { Stores } from '../../../server/store/stores.ts';
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

interface TestAboutDeps {
  readonly signer: Pick<EvidenceSigner, 'publicKey'>;
  readonly now: () => WallMs;
}

export function createTestAbout(stores: Stores, { signer, now }: TestAboutDeps): AboutReader {
  return createAboutReader({ stores, product: TEST_PRODUCT, evidencePublicKey: signer.publicKey, now });
}
