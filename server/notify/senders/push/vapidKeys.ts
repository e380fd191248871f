// The key pair by which push services know this installation (RFC 8292). Browsers allow messages of this pair only.
import { createECDH } from 'node:crypto';
import { SECRET_SETTINGS } from '../../../installation.ts';
import type { SettingStore } from '../../../store/system/settings.ts';
import type { SecretBox } from '../secretBox.ts';

export interface VapidKeys {
  /** base64url of 65 bytes. */
  readonly publicKey: string;
  /** base64url of 32 bytes. */
  readonly privateKey: string;
}

export interface VapidKeysDeps {
  readonly settings: Pick<SettingStore, 'get' | 'set' | 'setOnce'>;
  readonly box: SecretBox;
}

const SETTING = SECRET_SETTINGS.vapid.name;
const CONTEXT = 'vapid';

/** The installation's pair: made at the first call, for all gateways of the database. */
export async function loadOrMakeVapidKeys({ settings, box }: VapidKeysDeps): Promise<VapidKeys> {
  const made = await settings.get(SETTING);
  const known = opened(made ?? (await settings.setOnce(SETTING, sealed(createVapidKeys(), box))), box);
  if (known !== undefined) return known;
  // The key of the box was lost. Browsers have to be allowed again, like secrets of senders have to be entered again.
  const keys = createVapidKeys();
  await settings.set(SETTING, sealed(keys, box));
  return keys;
}

export function createVapidKeys(): VapidKeys {
  const curve = createECDH('prime256v1');
  curve.generateKeys();
  // The curve omits leading zeros of a number.
  const privateKey = Buffer.concat([Buffer.alloc(32), curve.getPrivateKey()]).subarray(-32);
  return { publicKey: curve.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
}

function sealed({ publicKey, privateKey }: VapidKeys, box: SecretBox): string {
  return JSON.stringify({ publicKey, sealed: box.seal(privateKey, CONTEXT) });
}

function opened(text: string, box: SecretBox): VapidKeys | undefined {
  const { publicKey, sealed: secret } = JSON.parse(text) as { readonly publicKey: string; readonly sealed: string };
  const privateKey = box.open(secret, CONTEXT);
  return privateKey === undefined ? undefined : { publicKey, privateKey };
}
