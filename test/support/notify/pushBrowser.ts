// A browser as Web Push sees it: an endpoint with keys, and the decryption that only it can do (RFC 8188, 8291).
import { createDecipheriv, createECDH, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { PushSubscriptionContent } from '../../../shared/protocol/api/notify/ownNotify.ts';

export interface PushBrowser {
  readonly subscription: PushSubscriptionContent;
  /** SHA-256 of the endpoint in hex. */
  readonly endpointHash: string;
  /** Throws for what was not encrypted for this browser. */
  decrypt(body: Buffer): string;
}

const SALT_BYTES = 16;
const RECORD_SIZE_BYTES = 4;
const TAG_BYTES = 16;
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
/** Ends the text of the last record. */
const LAST_RECORD = 2;

/** `endpoint`: where its push service takes messages. */
export function createPushBrowser(endpoint: string): PushBrowser {
  const keys = createECDH('prime256v1');
  const ownPublic = keys.generateKeys();
  const auth = randomBytes(16);
  return {
    subscription: { endpoint, p256dh: ownPublic.toString('base64url'), auth: auth.toString('base64url') },
    endpointHash: createHash('sha256').update(endpoint).digest('hex'),
    decrypt: (body) => {
      const salt = body.subarray(0, SALT_BYTES);
      const idLength = body[SALT_BYTES + RECORD_SIZE_BYTES] ?? 0;
      const idStart = SALT_BYTES + RECORD_SIZE_BYTES + 1;
      const senderPublic = body.subarray(idStart, idStart + idLength);
      const sealed = body.subarray(idStart + idLength);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), ownPublic, senderPublic]);
      const secret = Buffer.from(hkdfSync('sha256', keys.computeSecret(senderPublic), auth, info, 32));
      const derive = (name: string, bytes: number): Buffer =>
        Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, bytes));
      const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', KEY_BYTES), derive('nonce', NONCE_BYTES));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      const padded = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
      return padded.subarray(0, padded.lastIndexOf(LAST_RECORD)).toString('utf8');
    },
  };
}
